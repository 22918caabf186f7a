import { expect, test } from 'vitest';
import { relativeTime } from './relative-time.ts';

const now = Date.parse('2026-11-21T12:00:00Z');

test.each([
  ['2026-11-21T11:59:30Z', 'en', 'now'],
  ['2026-11-21T12:05:00Z', 'en', 'now'],
  ['2026-11-21T11:59:00Z', 'en', '1 minute ago'],
  ['2026-11-21T09:30:00Z', 'en', '2 hours ago'],
  ['2026-11-20T11:00:00Z', 'en', '1 day ago'],
  ['2026-11-10T12:00:00Z', 'en', '1 week ago'],
  ['2026-08-01T12:00:00Z', 'de', 'vor 3 Monaten'],
  ['2024-08-01T12:00:00Z', 'fr', 'il y a 2 ans'],
])('%s in %s is %s', (at, locale, words) => {
  expect(relativeTime(Date.parse(at), now, locale)).toBe(words);
});
