import { createHash } from 'node:crypto';
import type { CalendarSettings } from '@parley/protocol/settings/calendar-connection';
import type { MailSettings } from '@parley/protocol/settings/mail-connection';
import { z } from 'zod';
import type { MailSender } from '../mail/mail-source.ts';
import { digestOf } from '../mcp/tool-definition.ts';
import { type CallCount, tooManyCalls } from '../call-count.ts';
import type { ServerTool, ToolDelivery, ToolOutcome } from '../tool.ts';

/** A mail server may take its time with an invitation. */
const timeoutMs = 60_000;
const defaultDays = 7;
const maxDays = 14;

export interface Slot {
  readonly start: string;
  readonly end: string;
}

/** Whoever an appointment is for. */
export interface Guest {
  readonly name: string;
  readonly email: string | null;
  readonly note: string | null;
}

/** An appointment, as far as whoever it is for is written to. */
export interface BookedAppointment {
  readonly id: string;
  readonly email: string | null;
  readonly revision: number;
  /** What is said of it, and in iCalendar; or of what, or to whom, enough was said. */
  readonly invitation: (from: string) => Promise<Invitation | { readonly enough: keyof typeof enoughMails }>;
}

export interface Invitation {
  readonly subject: string;
  readonly text: string;
  readonly event: { readonly method: 'request' | 'cancel'; readonly content: string };
}

/**
 * `not-free`: out of hours, too soon or too far, or somebody else has it. `missing` also where it is somebody else's: ids are
 * in invitations, which are forwarded. `begun`: it is changed no more. `too-many`: no more in this conversation.
 */
export type BookingResult =
  | (Slot & { readonly outcome: 'done'; readonly appointment: BookedAppointment })
  | { readonly outcome: 'not-free' | 'missing' | 'begun' | 'too-many' };

export type CancelResult =
  | { readonly outcome: 'done'; readonly appointment: BookedAppointment }
  | { readonly outcome: 'missing' | 'begun' };

/** An appointment, and who asks for it or for a change of it. */
export interface BookingRequest {
  readonly id: string;
  /** A digest of the session's id. */
  readonly conversation: string;
  /** The verified visitor; null: nobody in particular. */
  readonly visitor: string | null;
}

/** The appointments of calendars. */
export interface Bookings {
  free(
    calendar: CalendarSettings,
    from: string | null,
    days: number,
  ): Promise<{ readonly slots: readonly Slot[]; readonly next: string | null }>;
  book(
    calendar: CalendarSettings,
    request: BookingRequest,
    start: string,
    guest: Guest,
  ): Promise<BookingResult>;
  move(calendar: CalendarSettings, request: BookingRequest, start: string): Promise<BookingResult>;
  cancel(calendar: CalendarSettings, request: BookingRequest): Promise<CancelResult>;
}

const start = z.iso
  .datetime({ offset: true, local: true, error: 'Expected a start as free_slots gives it.' })
  .max(40)
  .describe('When it begins, as free_slots gives it.');
const appointment = z.string().min(1).max(100).describe('The id that booking it gave.');

const schemas = {
  free_slots: z.strictObject({
    from: z
      .union([z.iso.date(), z.iso.datetime({ offset: true, local: true }).max(40)], {
        error: 'Expected a day or a time, such as 2026-11-24 or 2026-11-24T15:00.',
      })
      .describe(
        'The first day, such as 2026-11-24, or a time of it, such as 2026-11-24T15:00; without it now.',
      )
      .optional(),
    days: z.int().min(1).max(maxDays).describe(`How many days, ${defaultDays} without it.`).optional(),
  }),
  book: z.strictObject({
    start,
    name: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .regex(/^\P{Cc}*$/u, 'Expected one line.')
      .describe('Whom it is for.'),
    email: z.email().max(254).describe('Where the invitation goes.').optional(),
    note: z.string().max(1_000).describe('What it is about.').optional(),
  }),
  move: z.strictObject({ appointment, start }),
  cancel: z.strictObject({ appointment }),
};

const notFree: ToolOutcome = {
  ok: false,
  code: 'NOT_FREE',
  message: 'Nothing was booked: this time is not free. Look for free times again.',
};
const missing: ToolOutcome = {
  ok: false,
  code: 'NOT_FOUND',
  message:
    'There is no such appointment of theirs; it may have been cancelled. It is moved and cancelled in the conversation that it was booked in, or in another one of the same signed-in visitor. Otherwise the team can help.',
};

const begun: ToolOutcome = {
  ok: false,
  code: 'BEGUN',
  message: 'Nothing was changed: the appointment has begun or is over. Somebody of the team can help.',
};
const tooMany: ToolOutcome = {
  ok: false,
  code: 'TOO_MANY',
  message:
    'Nothing was changed: no more is booked or moved here in this conversation. Somebody of the team can help.',
};
const enoughMails = {
  appointment: 'There were enough mails about this appointment.',
  mailbox: 'There were enough mails to this address today.',
};
const undone = { 'not-free': notFree, missing, begun, 'too-many': tooMany };

interface AgentCalendar {
  readonly calendar: CalendarSettings;
  /** Where invitations leave from; null: none do. */
  readonly mail: MailSettings | null;
}

export interface CalendarDeps {
  readonly bookings: Bookings;
  readonly sender: MailSender;
  readonly count: CallCount;
}

/** What an agent does with a calendar: look for free times, and book, move and cancel. */
export function calendarTools(
  { calendar, mail }: AgentCalendar,
  { bookings, sender, count }: CalendarDeps,
): ServerTool<ToolOutcome>[] {
  const { title, timeZone, minutes, approval } = calendar;

  function tool<Input>(
    name: keyof typeof schemas,
    schema: z.ZodType<Input>,
    description: string,
    rules: Pick<ServerTool, 'approval' | 'idempotent'>,
    run: (input: Input, delivery: ToolDelivery) => Promise<ToolOutcome>,
  ): ServerTool<ToolOutcome> {
    return {
      executor: 'server',
      name: `${calendar.name}__${name}`,
      description,
      parameters: { ...z.toJSONSchema(schema, { io: 'input' }), type: 'object' },
      interfaces: ['chat', 'sessions'],
      approvalExpiresAfterMs: null,
      visibility: 'status',
      timeoutMs,
      ...rules,
      fingerprint: digestOf([calendar.id, name, rules.approval]),
      invalid(input) {
        const parsed = schema.safeParse(input);
        if (parsed.success) return undefined;
        const said = parsed.error.issues.map(
          ({ path, message }) => `${path.join('.') || 'the arguments'}: ${message}`,
        );
        return `The arguments are not valid: ${said.slice(0, 5).join('; ')}`;
      },
      execute: async (input, delivery) =>
        (await tooManyCalls(calendar, count)) ?? (await run(schema.parse(input), delivery)),
    };
  }

  const reads = { approval: 'never', idempotent: true } as const;
  // The id of an appointment is made of the call's: booked twice, it is booked once.
  const writes = { approval, idempotent: true } as const;
  return [
    tool(
      'free_slots',
      schemas.free_slots,
      `Free times for “${title}”, ${minutes} minutes each. Times are those of ${timeZone}. Ask before you offer any.`,
      reads,
      async ({ from, days = defaultDays }) => {
        const { slots, next } = await bookings.free(calendar, from ?? null, days);
        const starts = slots.map((slot) => slot.start);
        const more = next !== null;
        return { ok: true, output: { timeZone, minutes, slots: starts, more, ...(more && { next }) } };
      },
    ),
    tool(
      'book',
      schemas.book,
      `Book “${title}” at a free time. Tell whoever it is for the start, and keep the id to move or cancel it.`,
      writes,
      async ({ start: at, name, email = null, note = null }, delivery) => {
        const digest = createHash('sha256').update(delivery.idempotencyKey).digest('hex');
        const request = requestOf(`appointment_${digest.slice(0, 32)}`, delivery);
        return outcomeOf(await bookings.book(calendar, request, at, { name, email, note }));
      },
    ),
    tool(
      'move',
      schemas.move,
      `Move an appointment of “${title}” to another free time.`,
      writes,
      async (input, delivery) =>
        outcomeOf(await bookings.move(calendar, requestOf(input.appointment, delivery), input.start)),
    ),
    tool(
      'cancel',
      schemas.cancel,
      `Cancel an appointment of “${title}”.`,
      writes,
      async (input, delivery) => {
        const result = await bookings.cancel(calendar, requestOf(input.appointment, delivery));
        if (result.outcome !== 'done') return undone[result.outcome];
        const { appointment: cancelled } = result;
        return { ok: true, output: { cancelled: cancelled.id, invitation: await invite(cancelled) } };
      },
    ),
  ];

  async function outcomeOf(booked: BookingResult): Promise<ToolOutcome> {
    if (booked.outcome !== 'done') return undone[booked.outcome];
    const { start: begins, end, appointment: made } = booked;
    const output = { appointment: made.id, title, start: begins, end, invitation: await invite(made) };
    return { ok: true, output };
  }

  /** Writes to whoever an appointment is for, and says in words what came of it: the appointment stands either way. */
  async function invite({ id, email, revision, invitation }: BookedAppointment): Promise<string> {
    if (email === null) return 'None: no e-mail address was given.';
    if (mail === null) return 'None: this agent sends no mail.';
    const tooManyMails = await tooManyCalls(mail, count);
    if (tooManyMails !== null) return `Not sent. ${tooManyMails.message}`;
    const made = await invitation(mail.from);
    if ('enough' in made) return `Not sent. ${enoughMails[made.enough]}`;
    const problem = await sender.send(mail, { to: email, id: `${id}.${revision}`, ...made });
    if (problem === null) return `Sent to ${email}.`;
    return `${problem.uncertain === true ? 'It may have been sent.' : 'Not sent.'} ${problem.message}`;
  }
}

const requestOf = (id: string, { session, visitor }: ToolDelivery): BookingRequest => ({
  id,
  conversation: session,
  visitor,
});
