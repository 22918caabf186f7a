import { expect, test } from 'vitest';
import { withBareTerms } from './bare-term.ts';
import { termsOf } from './terms.ts';

const bare = (word: string) => withBareTerms(termsOf(word)).at(-1);

test.each([
  ['كتاب', 'الكتاب', 'والكتاب', 'للكتاب', 'بالكتاب', 'كتابها'],
  ['إجازة', 'الاجازه', 'والإجازات', 'إجازةٌ'],
  ['موظفين', 'الموظفون', 'موظف'],
  ['הזמנה', 'ההזמנה', 'בהזמנה', 'להזמנות', 'שההזמנה', 'וההזמנה'],
  ['תשלום', 'תשלומים', 'התשלום', 'לתשלום'],
])('%s is found by the same term as what is written together with it', (word, ...others) => {
  for (const other of others) expect(`${other} ${bare(other)}`).toBe(`${other} ${bare(word)}`);
});

test('short words, and those of other scripts, stay what they are', () => {
  for (const text of ['من', 'של', 'the orders', 'Заказы', '注文']) {
    const terms = termsOf(text);
    expect(withBareTerms(terms)).toEqual(terms);
  }
});

test('a term is kept beside its bare one', () => {
  expect(withBareTerms(['order', 'الكتاب'])).toEqual(['order', 'الكتاب', 'كتاب']);
});
