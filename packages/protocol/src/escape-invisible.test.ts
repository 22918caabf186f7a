import { expect, test } from 'vitest';
import { toolTitle, visibleJson, escapeInvisible } from './escape-invisible.ts';

test.each([
  ['pay \u202e001\u202c', 'pay \\u202e001\\u202c'],
  ['zero\u200bwidth', 'zero\\u200bwidth'],
  ['nbsp\u00a0here', 'nbsp\\u00a0here'],
  ['tag\u{e0041}', 'tag\\u{e0041}'],
  ['plain ünïcode 日本', 'plain ünïcode 日本'],
])('%j is shown as %s', (text, expected) => {
  expect(escapeInvisible(text)).toBe(expected);
});

test('arguments are shown whole, escaped and indented', () => {
  expect(visibleJson({ to: 'a\u202eb', amount: 5 })).toBe('{\n  "to": "a\\u202eb",\n  "amount": 5\n}');
});

test('what looks like an escape in the value cannot be taken for one', () => {
  expect(visibleJson('\\u202e')).toBe('"\\\\u202e"');
});

test.each([
  ['get_weather', 'Get weather'],
  ['checkStock', 'Check stock'],
  ['refund-order', 'Refund order'],
])('the tool %s is called %s', (name, title) => {
  expect(toolTitle(name)).toBe(title);
});
