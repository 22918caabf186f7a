import assert from 'node:assert/strict';
import { from, guest, note, title } from './desk.ts';
import { type Appointment, expectFolded, expectedEvent } from './expected-event.ts';
import type { Feed } from './read-feed.ts';

/** The feed has these appointments and no other, and says whom each is for and who organizes it: the calendar. */
export function expectFeed(feed: Feed, appointments: readonly Appointment[]): void {
  assert.equal(feed.contentType, 'text/calendar; charset=utf-8');
  assert.equal(feed.method, 'PUBLISH');
  assert.equal(feed.name, title);
  expectFolded(feed);
  const summary = `${title}: ${guest.name}`;
  const description = [guest.name, guest.address, note].join('\n');
  assert.deepEqual(
    feed.events,
    appointments.map((each) => ({
      ...expectedEvent(each),
      summary,
      description,
      organizer: { name: title, address: from.address },
      attendees: [],
    })),
  );
}
