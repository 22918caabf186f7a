import type { CalendarSettings } from '@parley/protocol/settings/calendar-connection';
import { DateTime } from 'luxon';
import { mailboxOf } from '../mail/mailbox-of.ts';
import type { Appointment, AppointmentStore, Booked } from '../store/appointment-store.ts';
import type { LimitStore, Quota } from '../store/limit-store.ts';
import type {
  BookedAppointment,
  BookingRequest,
  BookingResult,
  CancelResult,
  Guest,
  Slot,
} from '../tool/calendar/calendar-tools.ts';
import { freeSlots } from './free-slots.ts';

const dayMs = 24 * 60 * 60_000;
/** Appointments are removed this long after they ended. */
const keepMs = 90 * dayMs;
/** Slots that are shown at once. */
const maxShown = 60;
const pageSize = 500;
/** Appointments of a feed. */
const maxInFeed = 2_000;
/** Of one appointment: whoever it is for is written to each time. */
const maxMoves = 10;
/** Each time that it changes, and what is delivered again after a crash. */
const maxInvitations = maxMoves + 2 + 4;
/** Anybody may give anybody's address: of one calendar, however many appointments are booked for it in a day. */
const maxOfMailbox = 20;

type BookingStore = AppointmentStore & Pick<LimitStore, 'countQuotas'>;

/** What is free in the calendars of agents, and what is booked there. */
export class Bookings {
  readonly #appointments: BookingStore;
  readonly #mac: (text: string) => string;

  /** `mac`: by what a counter knows a mailbox that it does not name. */
  constructor(appointments: BookingStore, mac: (text: string) => string) {
    this.#appointments = appointments;
    this.#mac = mac;
  }

  /** Free times from a day or a time of the calendar's place on; `next`: the first of others after them, or null. */
  async free(
    calendar: CalendarSettings,
    from: string | null,
    days: number,
  ): Promise<{ readonly slots: readonly Slot[]; readonly next: string | null }> {
    const zone = calendar.timeZone;
    const now = Date.now();
    // A day begins at its first minute.
    const first = from === null ? DateTime.fromMillis(now, { zone }) : DateTime.fromISO(from, { zone });
    const range = { from: first.toMillis(), before: first.startOf('day').plus({ days }).toMillis() };
    const slots: Slot[] = [];
    for (const start of freeSlots(calendar, await this.#taken(calendar.id, range), { ...range, now })) {
      const slot = slotOf(calendar, start);
      if (slots.length >= maxShown) return { slots, next: slot.start };
      slots.push(slot);
    }
    return { slots, next: null };
  }

  async book(
    calendar: CalendarSettings,
    { id, conversation, visitor }: BookingRequest,
    start: string,
    guest: Guest,
  ): Promise<BookingResult> {
    // What was booked by an earlier delivery of the same call is not free any more.
    const known = await this.#appointments.getAppointment(calendar.id, id);
    const time = known?.status === 'booked' ? known : await this.#freeAt(calendar, start, null);
    if (time === null) return { outcome: 'not-free' };
    const isFull =
      known === null && (await this.#appointments.countQuotas([bookingQuota(calendar, conversation)]));
    if (isFull) return { outcome: 'too-many' };
    const { startsAt, endsAt } = time;
    const appointment = { id, connectionId: calendar.id, startsAt, endsAt, ...guest, visitor, conversation };
    return this.#resultOf(calendar, id, await this.#appointments.bookAppointment(appointment, keepMs));
  }

  async move(calendar: CalendarSettings, request: BookingRequest, start: string): Promise<BookingResult> {
    const { id } = request;
    const before = await this.#appointments.getAppointment(calendar.id, id);
    if (before?.status !== 'booked' || !isTheirs(before, request)) return { outcome: 'missing' };
    if (hasBegun(before)) return { outcome: 'begun' };
    if (before.revision >= maxMoves) return { outcome: 'too-many' };
    const time = await this.#freeAt(calendar, start, before);
    if (time === null) return { outcome: 'not-free' };
    return this.#resultOf(calendar, id, await this.#appointments.moveAppointment(calendar.id, id, time));
  }

  /** Also what was cancelled before. */
  async cancel(calendar: CalendarSettings, request: BookingRequest): Promise<CancelResult> {
    const { id } = request;
    const before = await this.#appointments.getAppointment(calendar.id, id);
    if (before === null || !isTheirs(before, request)) return { outcome: 'missing' };
    if (before.status === 'booked' && hasBegun(before)) return { outcome: 'begun' };
    await this.#appointments.cancelAppointment(calendar.id, id);
    const after = await this.#appointments.getAppointment(calendar.id, id);
    if (after?.status !== 'cancelled') return { outcome: 'missing' };
    return { outcome: 'done', appointment: this.#withInvitation(calendar, after) };
  }

  /** What a feed shows: of the last month and as far ahead as anything is booked. */
  list(connectionId: string): Promise<readonly Appointment[]> {
    const range = { from: Date.now() - 30 * dayMs, before: Date.now() + 100 * dayMs };
    return this.#taken(connectionId, range, maxInFeed);
  }

  async #resultOf(calendar: CalendarSettings, id: string, booked: Booked): Promise<BookingResult> {
    const after = booked === 'done' ? await this.#appointments.getAppointment(calendar.id, id) : null;
    if (after === null) return { outcome: booked === 'taken' ? 'not-free' : 'missing' };
    return {
      outcome: 'done',
      ...slotOf(calendar, after.startsAt),
      appointment: this.#withInvitation(calendar, after),
    };
  }

  /** The time of an appointment that may begin then, where its own time counts as free; null: none may. */
  async #freeAt(calendar: CalendarSettings, start: string, own: Appointment | null) {
    const startsAt = DateTime.fromISO(start, { zone: calendar.timeZone }).toMillis();
    if (!Number.isFinite(startsAt)) return null;
    const endsAt = startsAt + calendar.minutes * 60_000;
    const range = { from: startsAt, before: startsAt + 1 };
    const taken = await this.#taken(calendar.id, { from: startsAt, before: endsAt });
    const others = taken.filter(({ id }) => id !== own?.id);
    const [free] = freeSlots(calendar, others, { ...range, now: Date.now() });
    return free === startsAt ? { startsAt, endsAt } : null;
  }

  #withInvitation(calendar: CalendarSettings, appointment: Appointment): BookedAppointment {
    return {
      ...appointment,
      invitation: async (from) => {
        const [ofAppointment, ...ofMailbox] = this.#invitationQuotas(appointment);
        const full = await this.#appointments.countQuotas([ofAppointment, ...ofMailbox]);
        if (full !== null) return { enough: full.scope === ofAppointment.scope ? 'appointment' : 'mailbox' };
        const { invitationTo } = await import('./icalendar.ts');
        return invitationTo(calendar, appointment, from);
      },
    };
  }

  /** Who moves an appointment to where it is, or cancels it once more, is told of it again. */
  #invitationQuotas({ id, connectionId, email, visitor }: Appointment): [Quota, ...Quota[]] {
    const ofAppointment = {
      scope: `invitations:appointment:${id}`,
      limit: maxInvitations,
      windowMs: keepMs,
      amount: 1,
    };
    if (email === null) return [ofAppointment];
    const mailbox = mailboxOf(email);
    // A verified visitor whose id is the address is counted apart: others cannot use up their invitations.
    const whose = visitor !== null && mailboxOf(visitor) === mailbox ? 'own' : 'anybody';
    const digest = this.#mac(JSON.stringify(['invitations', connectionId, mailbox, whose])).slice(0, 22);
    const ofMailbox = {
      scope: `invitations:mailbox:${digest}`,
      limit: maxOfMailbox,
      windowMs: dayMs,
      amount: 1,
    };
    return [ofAppointment, ofMailbox];
  }

  async #taken(
    connectionId: string,
    { from, before }: { readonly from: number; readonly before: number },
    most = Infinity,
  ): Promise<Appointment[]> {
    const taken: Appointment[] = [];
    for (let next = from; ;) {
      const page = await this.#appointments.listAppointments({
        connectionId,
        from: next,
        before,
        limit: pageSize,
      });
      taken.push(...page);
      const last = page.at(-1);
      // Booked times do not overlap: all that ends later begins later, too.
      if (!last || page.length < pageSize || taken.length >= most) return taken;
      next = last.endsAt;
    }
  }
}

/** A conversation moves and cancels what was booked in it, and a verified visitor what is theirs wherever they write. */
const isTheirs = (booked: Appointment, { conversation, visitor }: BookingRequest): boolean =>
  booked.conversation === conversation || (visitor !== null && booked.visitor === visitor);

/** Whether anybody came stays with the team: what is over is in its calendar as it was. */
const hasBegun = ({ startsAt }: Appointment): boolean => startsAt <= Date.now();

/** Counted for as long as the appointments are kept. */
const bookingQuota = ({ id, bookingsPerConversation }: CalendarSettings, conversation: string): Quota => ({
  scope: `bookings:session:${conversation}:${id}`,
  limit: bookingsPerConversation,
  windowMs: keepMs,
  amount: 1,
});

function slotOf({ timeZone: zone, minutes }: CalendarSettings, startsAt: number): Slot {
  const shown = (at: number) => DateTime.fromMillis(at, { zone }).toISO({ suppressMilliseconds: true }) ?? '';
  return { start: shown(startsAt), end: shown(startsAt + minutes * 60_000) };
}
