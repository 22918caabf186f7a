import { expect, test } from 'vitest';
import type { ClientTool } from '../../loader/widget-api.ts';
import { displaysOf } from './displays-of.ts';
import { argumentRows, summaryOf, titleOf } from '@parley/protocol/tool-text';

const tool: ClientTool = {
  name: 'add_to_basket',
  description: 'Puts an article into the basket.',
  parameters: { type: 'object', properties: { article: { type: 'string', title: 'Article' } } },
  display: {
    title: { en: 'Basket', de: 'Warenkorb' },
    summary: { en: 'Put {{article}} into the basket', de: '{{article}} in den Warenkorb legen' },
  },
  run: () => null,
};
const displays = (pageTools: readonly (ClientTool | null)[], tools = {}) =>
  displaysOf({
    tools,
    pageTools: new Map(pageTools.map((each) => [each?.name ?? 'gone', each && { tool: each }])),
  });

test('a tool of the page is seen as the page says, in the visitor’s language', () => {
  const seen = displays([tool, null]);
  expect(titleOf('add_to_basket', seen, 'de-AT')).toBe('Warenkorb');
  expect(titleOf('add_to_basket', seen, 'fr')).toBe('Basket');
  const pieces = summaryOf('add_to_basket', { article: 'bell' }, seen, 'de');
  expect(pieces?.map(({ text }) => text).join('')).toBe('bell in den Warenkorb legen');
  expect(argumentRows('add_to_basket', { article: 'bell' }, seen)).toEqual([
    { label: 'Article', value: 'bell' },
  ]);
});

test('a tool of the page never speaks for one of the service', () => {
  const own = { add_to_basket: { title: { en: 'Pay' }, labels: {} } };
  expect(titleOf('add_to_basket', displays([tool], own), 'en')).toBe('Pay');
});

test.for<[string, unknown]>([
  ['none', undefined],
  ['an empty one', {}],
  ['words that are none', { title: { en: 5, de: null } }],
])('with %s, a tool of the page is called by its name', ([, display]) => {
  const seen = displays([{ ...tool, display: display as never }]);
  expect(titleOf('add_to_basket', seen, 'en')).toBe('Add to basket');
  expect(summaryOf('add_to_basket', {}, seen, 'en')).toBeNull();
});
