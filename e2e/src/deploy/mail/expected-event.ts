import assert from 'node:assert/strict';
import type { CalendarContent } from './calendar-content.ts';
import { location, minutes } from './desk.ts';

export interface Appointment {
  readonly uid: string;
  /** As the visitor was shown it. */
  readonly slot: string;
  readonly sequence: number;
  readonly status: 'CONFIRMED' | 'CANCELLED';
}

/** What mails and the feed say of an appointment alike. */
export function expectedEvent({ uid, slot, sequence, status }: Appointment) {
  const start = new Date(slot).getTime();
  const utc = (at: number) => new Date(at).toISOString().replace('.000Z', '+00:00');
  return {
    uid,
    sequence,
    status,
    location,
    start: utc(start),
    end: utc(start + minutes * 60_000),
    errors: [],
  };
}

/** RFC 5545, 3.1. */
const maxLine = 75;

export function expectFolded({ longestLine, foldedLines }: CalendarContent): void {
  assert.ok(longestLine <= maxLine, `A line has ${longestLine} bytes.`);
  assert.ok(foldedLines > 0, 'No line is folded.');
}
