import { expect, test } from 'vitest';
import { toPlainText } from './to-plain-text.ts';

test.each([
  ['See [the **map**](https://example.com/a/map?x=1).', 'See the map.'],
  ['Look at https://www.example.com/a/b?c=d now', 'Look at www.example.com now'],
  ['**Look: <https://example.com/a>**', 'Look: example.com'],
  ['![The workshop](https://images.example/w.jpg)', 'The workshop'],
  ['## Orders\n\nIt is _here_, `track 1042`.', 'Orders\nIt is here, track 1042.'],
  ['- one\n- [x] two\n  1. three', 'one\ntwo\nthree'],
  ['| Item | Price |\n|:--|--:|\n| Bell | 12 |', 'Item, Price\nBell, 12'],
  ['> said\n\n---\n\n```js\nlet a = b * c;\n```', 'said\nlet a = b * c;'],
  ['2 * 3 * 4 and a_b_c | d', '2 * 3 * 4 and a_b_c | d'],
])('%j is read out as %j', (markdown, spoken) => {
  expect(toPlainText(markdown)).toBe(spoken);
});
