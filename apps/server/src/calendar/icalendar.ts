import { setImmediate } from 'node:timers/promises';
import type { CalendarSettings } from '@parley/protocol/settings/calendar-connection';
import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { DateTime } from 'luxon';
import { oneLine } from '../mail/one-line.ts';
import type { Appointment } from '../store/appointment-store.ts';
import type { Invitation } from '../tool/calendar/calendar-tools.ts';

/** Characters of a name in an invitation. */
const maxName = 80;
const prodId = '//Parley//Calendar//EN';
/** Appointments of a feed that are written at once: some 10 ms where their notes are long. */
const feedPage = 5;
const feedEnd = '\r\nEND:VCALENDAR';

type Calendar = Pick<CalendarSettings, 'title' | 'location'>;

/**
 * The appointments of a calendar, for whoever subscribes to it (RFC 5545), by whom its invitations are from (RFC 5546, section
 * 3.2.1). Some at a time, between which others have their turn: the library takes seconds for two thousand with long notes.
 */
export async function* calendarFeed(
  calendar: Calendar,
  appointments: readonly Appointment[],
  from: string | null,
): AsyncIterable<string> {
  const [head, end] = inTwo(feedOf(calendar, [], from), feedEnd);
  yield head;
  for (let at = 0; at < appointments.length; at += feedPage) {
    const [page] = inTwo(feedOf(calendar, appointments.slice(at, at + feedPage), from), feedEnd);
    // No line of anybody's own begins so: what they wrote is behind the name of a property, or a space.
    yield inTwo(page, '\r\nBEGIN:VEVENT')[1];
    await setImmediate();
  }
  yield end;
}

/** What stands before and from the first of these words. */
function inTwo(text: string, words: string): readonly [string, string] {
  const at = text.indexOf(words);
  return [text.slice(0, at), text.slice(at)];
}

function feedOf(calendar: Calendar, appointments: readonly Appointment[], from: string | null): string {
  const feed = ical({
    // The library takes a name as it is.
    name: calendar.title.replaceAll(/[\p{Cc}\s]+/gu, ' ').replaceAll(/[\\;,]/g, '\\$&'),
    prodId,
    method: ICalCalendarMethod.PUBLISH,
    ttl: 900,
  });
  for (const appointment of appointments) {
    const { name, email, note } = appointment;
    const about = [name, email, note].filter((line) => line !== null).join('\n');
    feed.createEvent({
      ...eventOf(calendar, appointment),
      summary: `${calendar.title}: ${name}`,
      description: about,
      ...(from !== null && { organizer: { name: calendar.title, email: from } }),
    });
  }
  return feed.toString();
}

/** What whoever an appointment is for is written: a text, and the appointment for their calendar (RFC 5546). */
export function invitationTo(
  calendar: Calendar & Pick<CalendarSettings, 'timeZone'>,
  appointment: Appointment,
  from: string,
): Invitation {
  const { title, timeZone: zone, location } = calendar;
  const { name, email, startsAt, status, revision } = appointment;
  const called = withoutLinks(name);
  const isCancelled = status === 'cancelled';
  const method = isCancelled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.REQUEST;
  const invitation = ical({ prodId, method });
  invitation.createEvent({
    ...eventOf(calendar, appointment),
    summary: title,
    organizer: { name: title, email: from },
    attendees: email === null ? [] : [{ name: called, email, rsvp: false }],
  });
  const when = DateTime.fromMillis(startsAt, { zone }).toFormat("cccc, d LLLL yyyy, HH:mm '('z')'", {
    locale: 'en',
  });
  const what = isCancelled ? 'is cancelled' : revision > 0 ? 'has moved' : 'is booked';
  const place = location === '' ? [] : [location];
  return {
    subject: `${title}: ${when}`,
    text: [`${called}, your appointment ${what}.`, '', title, when, ...place].join('\n'),
    event: { method: isCancelled ? 'cancel' : 'request', content: invitation.toString() },
  };
}

/**
 * Whoever books gives the name and the address of anybody: to them it is the firm that writes, so the name is short, and no
 * program for mail makes an address of the web of it.
 */
const withoutLinks = (name: string): string => oneLine(name.replaceAll(/[./:@](?=\S)/g, '$& '), maxName);

function eventOf({ location }: Calendar, { id, startsAt, endsAt, revision, status }: Appointment) {
  return {
    id,
    start: new Date(startsAt),
    end: new Date(endsAt),
    sequence: revision,
    status: status === 'booked' ? ICalEventStatus.CONFIRMED : ICalEventStatus.CANCELLED,
    ...(location !== '' && { location }),
  };
}
