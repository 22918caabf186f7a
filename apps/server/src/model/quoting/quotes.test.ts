import { expect, test } from 'vitest';
import { bestQuotes } from './quotes.ts';

test('where a quote is cut, what is emphasised in it has its end', () => {
  const roof = 'The house was built in the year of the flood and has a red roof. ';
  const locks = `None of the doors has a lock, ${'since nobody has ever come by, '.repeat(8)}and none will.`;
  const text = `${roof.repeat(5)}\n- **Locks.** ${locks}`;
  const [quote] = bestQuotes('Which roof has the house?', [{ number: 1, title: 'House', text }]);
  expect(quote?.text).toMatch(/red roof\. \n- \*\*Locks\.\*\*$/);
});
