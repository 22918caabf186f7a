import { expect, test } from 'vitest';
import { formatWait } from './format-wait.ts';

test.each([
  [0, 'en', '0 seconds'],
  [1, 'en', '1 second'],
  [119, 'de', '119 Sekunden'],
  [120, 'en', '2 minutes'],
  [7_199, 'fr', '120 minutes'],
  [7_200, 'en', '2 hours'],
  [40_568, 'en', '12 hours'],
  [40_568, 'ja', '12 時間'],
])('a wait of %i s is told in %s as %s', (seconds, locale, said) => {
  expect(formatWait(seconds, locale)).toBe(said);
});
