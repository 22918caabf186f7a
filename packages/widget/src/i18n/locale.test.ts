import { expect, test, vi } from 'vitest';
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

test.each([
  ['C', 'en'],
  ['en-US@posix', 'en-US'],
])('a browser set to %s is spoken to in %s', (language, locale) => {
  vi.stubGlobal('navigator', { language });
  expect(knownLocale('')).toBe(locale);
  vi.unstubAllGlobals();
});
