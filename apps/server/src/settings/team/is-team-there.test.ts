import { teamSettingsSchema } from '@parley/protocol/settings/team';
import { expect, test } from 'vitest';
import { isTeamThere } from './is-team-there.ts';

const hours = {
  timeZone: 'Europe/Berlin',
  monday: { from: '09:00', to: '17:30' },
  sunday: { from: '22:00', to: '24:00' },
};
const there = (at: string) => isTeamThere(hours, new Date(at));

test('somebody is there within the hours of their own time zone, summer or winter', () => {
  expect(there('2026-01-05T08:00:00Z')).toBe(true);
  expect(there('2026-01-05T07:59:00Z')).toBe(false);
  expect(there('2026-01-05T16:29:59Z')).toBe(true);
  expect(there('2026-01-05T16:30:00Z')).toBe(false);
  expect(there('2026-07-06T07:00:00Z')).toBe(true);
  expect(there('2026-01-06T10:00:00Z')).toBe(false);
  // Sunday up to midnight there, which is not yet Monday.
  expect(there('2026-01-04T22:59:00Z')).toBe(true);
  expect(there('2026-01-04T23:00:00Z')).toBe(false);
});

test.each([
  [{ timeZone: 'Mars/Olympus' }],
  [{ ...hours, tuesday: { from: '17:00', to: '09:00' } }],
  [{ ...hours, tuesday: { from: '9:00', to: '17:00' } }],
])('%j are no hours', (wrong) => {
  expect(teamSettingsSchema.safeParse({ replies: [], hours: wrong, awayMessage: null }).success).toBe(false);
  expect(teamSettingsSchema.safeParse({ replies: [], hours, awayMessage: null }).success).toBe(true);
});
