import { expect, test } from 'vitest';
import { saidTime, shortTime, wholeTime } from './short-time.ts';

const now = new Date(2026, 10, 28, 18, 0);
const today = new Date(2026, 10, 28, 9, 5);
const thisYear = new Date(2026, 9, 3, 9, 5);
const before = new Date(2025, 9, 3, 9, 5);

test('a list says of a time only what tells it from the others', () => {
  expect(shortTime(today, now)).toMatch(/^0?9:05/);
  expect(shortTime(thisYear, now)).not.toMatch(/:05|2026/);
  expect(shortTime(before, now)).toContain('2025');
});

test('beside what was said stands the time of day, and the day unless it is today', () => {
  expect(saidTime(today, now)).toBe(shortTime(today, now));
  expect(saidTime(thisYear, now)).toMatch(/Oct.*9:05/);
  expect(saidTime(thisYear, now)).not.toContain('2026');
  expect(saidTime(before, now)).toBe(wholeTime(before));
});
