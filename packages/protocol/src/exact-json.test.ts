import { expect, test } from 'vitest';
import { parseExactJson, withLongNumbersAsTexts } from './exact-json.ts';

test.each([
  ['12345678901234567890', '"12345678901234567890"'],
  ['-12345678901234567890', '"-12345678901234567890"'],
  ['{"id":9007199254740993,"n":[1,9007199254740992]}', '{"id":"9007199254740993","n":[1,9007199254740992]}'],
  ['[9007199254740993 , 9007199254740995]', '["9007199254740993" , "9007199254740995"]'],
])('%s keeps its digits', (json, exact) => {
  expect(withLongNumbersAsTexts(json)).toBe(exact);
});

test.each([
  '["9007199254740993"]',
  String.raw`["\"9007199254740993","\\",1]`,
  String.raw`{"a\"9007199254740993":"\\\"9007199254740993"}`,
  '[1234567890123456789.5,1.2345678901234567890,12345678901234567890e3,1e-9007199254740993,-0]',
  '[1000000000000000,-1234567890123456]',
])('%s is as it was', (json) => {
  expect(withLongNumbersAsTexts(json)).toBe(json);
});

test('between many texts a long number is found, and what is no JSON is refused', () => {
  const texts = Array.from({ length: 50_000 }, (_, index) => (index % 2 ? '' : 'say "9007199254740993"'));
  const json = JSON.stringify(texts).replace(/\]$/, ',9007199254740993]');
  expect(parseExactJson(json)).toEqual([...texts, '9007199254740993']);
  expect(() => parseExactJson('["9007199254740993')).toThrow(SyntaxError);
});
