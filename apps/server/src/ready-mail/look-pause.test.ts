import { expect, test } from 'vitest';
import { lookPause } from './look-pause.ts';

test('what is waited for is looked at ever less often, and every ten minutes after an hour', () => {
  expect([-1, 0, 60_000, 360_000, 3_600_000, 86_400_000].map(lookPause)).toEqual([
    2_000, 2_000, 10_000, 60_000, 600_000, 600_000,
  ]);
});
