import { expect, test } from 'vitest';
import { jsonFault, wellFormedJson } from './text.ts';

test('JSON without a lone surrogate is not copied, and any other keeps the rest of it', () => {
  const value = { list: ['one', { 'a \u{1f600}': null }], count: 2 };
  expect(wellFormedJson(value)).toBe(value);
  const broken = { list: ['one \ud800', { 'a \udc00': null }], count: 2 };
  expect(wellFormedJson(broken)).toEqual({ list: ['one \ufffd', { 'a \ufffd': null }], count: 2 });
});

test('a fault of JSON is found in its keys and in its values, however they are put together', () => {
  for (const value of ['\0', ['a', '\0'], { a: ['\0'] }, { '\0': 1 }]) expect(jsonFault(value)).toBe('nul');
  expect(jsonFault([{ a: 'b' }, [], null, 1])).toBeNull();
  expect(jsonFault(JSON.parse('['.repeat(1_000) + ']'.repeat(1_000)))).toBe('depth');
});
