import { expect, test } from 'vitest';
import { reconnectDelayMs } from './reconnect-delay.ts';

test('a fleet that lost its server comes back spread over half of a delay that grows to 5 s', () => {
  expect([0, 1, 2, 6, 1_000].map((failures) => reconnectDelayMs(failures, 0))).toEqual([
    100, 200, 400, 5_000, 5_000,
  ]);
  expect(reconnectDelayMs(1_000, 0.999)).toBeCloseTo(2_500, -1);
});
