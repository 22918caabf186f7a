import assert from 'node:assert/strict';
import { from, guest, location, timeZone, title } from './desk.ts';
import { type Appointment, expectFolded, expectedEvent } from './expected-event.ts';
import type { ReceivedMail } from './run-mail-server.ts';

/** The mail says it in words, to people, and in iCalendar, shown in place and attached, to their calendar. */
export function expectInvitation(
  { calendars, text, subject, messageId, ...envelope }: ReceivedMail,
  appointment: Appointment,
  method: 'REQUEST' | 'CANCEL',
): void {
  assert.deepEqual(envelope, {
    sender: from.address,
    recipients: [guest.address],
    from: [from],
    to: [{ name: '', address: guest.address }],
    defects: [],
  });
  assert.equal(messageId, `<${appointment.uid}.${appointment.sequence}@shop.example>`);
  const when = spoken(appointment.slot);
  assert.ok(subject.startsWith(`${title}: `) && subject.includes(when), subject);
  for (const words of [guest.name, title, when, location]) assert.ok(text.includes(words), text);
  assert.deepEqual(
    calendars.map(({ contentType, charset, methodOfPart, filename }) => [
      contentType,
      charset,
      methodOfPart,
      filename,
    ]),
    [
      ['text/calendar', 'utf-8', method, null],
      ['application/ics', null, null, 'invitation.ics'],
    ],
  );
  const event = {
    ...expectedEvent(appointment),
    summary: title,
    description: '',
    organizer: { name: title, address: from.address },
    attendees: [guest],
  };
  for (const calendar of calendars) {
    assert.equal(calendar.method, method);
    expectFolded(calendar);
    assert.deepEqual(calendar.events, [event]);
  }
}

/** The day and the time at the place of the calendar. */
function spoken(slot: string): string {
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(new Date(slot));
  return `${day}, ${slot.slice(11, 16)}`;
}
