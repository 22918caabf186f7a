import { expect, test } from 'vitest';
import { knownLocale } from './locale.ts';

test.each([
  ['de', 'de'],
  ['pt-BR', 'pt-BR'],
  ['en_US', 'en-US'],
  ['zh_Hant_TW', 'zh-Hant-TW'],
  ['not a language', navigator.language],
  ['', navigator.language],
])('%j is formatted as %s', (tag, locale) => {
  expect(knownLocale(tag)).toBe(locale);
  expect(() => new Date(0).toLocaleTimeString(knownLocale(tag))).not.toThrow();
});
