import { expect, test } from 'vitest';
import { retryAfterOf } from './failure.ts';

test.each([
  ['7', 7_000],
  ['0', 0],
  ['1.5', 1_500],
  ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
  ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
  ['soon', undefined],
  [undefined, undefined],
])('Retry-After %j is %j ms', (header, milliseconds) => {
  expect(retryAfterOf(header, Date.parse('2026-11-21T12:00:00Z'))).toBe(milliseconds);
});
