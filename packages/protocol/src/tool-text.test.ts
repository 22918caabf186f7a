import { expect, test } from 'vitest';
import { argumentRows, summaryOf, titleOf, type ToolDisplays } from './tool-text.ts';

const displays: ToolDisplays = {
  refund_order: {
    title: { en: 'Refund', de: 'Erstattung', 'pt-BR': 'Reembolso' },
    summary: { en: 'Refund order {{order}} in full', de: 'Bestellung {{ order }} erstatten' },
    labels: { order: 'Order number' },
  },
};
const sentence = (input: unknown, locale = 'en') =>
  summaryOf('refund_order', input, displays, locale)
    ?.map(({ text, isArgument }) => (isArgument ? `<${text}>` : text))
    .join('');

test.each([
  ['de-AT', 'Erstattung'],
  ['pt-BR', 'Reembolso'],
  ['fr', 'Refund'],
])('in %s the tool is called %s', (locale, title) => {
  expect(titleOf('refund_order', displays, locale)).toBe(title);
});

test('a tool that says nothing, or is not known, is called by its name in words', () => {
  expect(titleOf('check_stock', displays, 'en')).toBe('Check stock');
  expect(titleOf('constructor', displays, 'en')).toBe('Constructor');
  expect(titleOf('check_stock', undefined, 'en')).toBe('Check stock');
});

test('the sentence says what a call does, with its arguments marked', () => {
  expect(sentence({ order: '1057', reason: 'x' })).toBe('Refund order <1057> in full');
  expect(sentence({ order: 1057 }, 'de')).toBe('Bestellung <1057> erstatten');
});

test.each([[{}], [{ order: '' }], [{ order: null }], [{ order: { id: 1 } }], [null], ['order']])(
  'no sentence is said of the arguments %j',
  (input) => {
    expect(sentence(input)).toBeUndefined();
  },
);

test('nothing invisible stands in the sentence, and no argument drowns it', () => {
  expect(sentence({ order: 'a\u202eb' })).toBe('Refund order <a\\u202eb> in full');
  expect(sentence({ order: '7'.repeat(500) })).toBe(`Refund order <${'7'.repeat(120)}…> in full`);
});

test('every argument has a row, whole, under the title of its schema or its name', () => {
  expect(
    argumentRows('refund_order', { order: '1057', sendMail: true, to: { a: 'b\u200bc' } }, displays),
  ).toEqual([
    { label: 'Order number', value: '1057' },
    { label: 'Send mail', value: 'true' },
    { label: 'To', value: '{\n  "a": "b\\u200bc"\n}' },
  ]);
});
