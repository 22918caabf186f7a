import { expect, test } from 'vitest';
import { pauseAfter, switchOffAfterMs } from './retries.ts';

const hour = 3_600_000;

test('what fails is tried again after ever longer pauses, and given up after ten attempts', () => {
  const between = Array.from({ length: 10 }, (_, failed) => pauseAfter(failed + 1, { random: () => 0.5 }));
  expect(between.map((pause) => pause && pause / 1_000)).toEqual([
    5,
    300,
    1_800,
    7_200,
    18_000,
    36_000,
    50_400,
    72_000,
    86_400,
    null,
  ]);
  expect(pauseAfter(11)).toBeNull();
  expect(switchOffAfterMs).toBe(72 * hour);
});

test.each([
  [0, 108],
  [1, 132],
])('a pause of two hours is spread by a tenth to either side: at %d it is %d minutes', (random, minutes) => {
  expect(pauseAfter(4, { random: () => random })).toBe(minutes * 60_000);
});

test('an address may ask for a longer pause of a day at most, and for no shorter one', () => {
  const random = () => 0;
  expect(pauseAfter(1, { askedMs: 120_000, random })).toBe(120_000);
  expect(pauseAfter(4, { askedMs: 1_000, random })).toBe(108 * 60_000);
  expect(pauseAfter(1, { askedMs: 1e15, random })).toBe(24 * hour);
  expect(pauseAfter(10, { askedMs: 1_000, random })).toBeNull();
});
