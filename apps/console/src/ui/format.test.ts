import { expect, test } from 'vitest';
import { formatDuration } from './format.ts';

test('a time is rounded before it is said in minutes and seconds', () => {
  const shown = [0, 999.4, 999.6, 1_250, 59_940, 59_970, 90_000, 119_499, 119_700, 3_599_600].map(
    formatDuration,
  );
  expect(shown).toEqual([
    '0 ms',
    '999 ms',
    '1.0 s',
    '1.3 s',
    '59.9 s',
    '1 min 0 s',
    '1 min 30 s',
    '1 min 59 s',
    '2 min 0 s',
    '60 min 0 s',
  ]);
});
