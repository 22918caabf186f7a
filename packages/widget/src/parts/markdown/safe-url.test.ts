import { expect, test } from 'vitest';
import { disguisedHost } from './disguised-host.ts';
import { safeUrl } from './safe-url.ts';

test.each([
  ['https://example.com/a', 'https://example.com/a'],
  ['HTTP://EXAMPLE.com', 'http://example.com/'],
  ['mailto:me@example.com', 'mailto:me@example.com'],
  ['tel:+431234', 'tel:+431234'],
])('%s may be followed', (raw, href) => {
  expect(safeUrl(raw)?.href).toBe(href);
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'java\u200bscript:alert(1)',
  '\u202ejavascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://example.com/x',
  'intent://x',
  '/relative',
  '//',
  '#fragment',
  'https://',
  '',
])('%j may not', (raw) => {
  expect(safeUrl(raw)).toBeNull();
});

test.each([
  ['https://bank.example', 'evil.example'],
  ['bank.example/login', 'evil.example'],
  ['www.bank.example', 'evil.example'],
  ['b\u200bank.example', 'evil.example'],
  ['our terms', null],
  ['evil.example', null],
  ['https://evil.example/login', null],
])('the text %j of a link to evil.example names its host: %j', (text, host) => {
  expect(disguisedHost(text, safeUrl('https://evil.example/login')!)).toBe(host);
});

test('a user name that looks like a host does not hide the host', () => {
  const url = safeUrl('https://bank.example@evil.example/')!;
  for (const text of ['https://bank.example', 'https://bank.example@evil.example/', 'our terms'])
    expect(disguisedHost(text, url)).toBe('evil.example');
  const named = 'https://:bank.example@evil.example/';
  expect(disguisedHost(named, safeUrl(named)!)).toBe('evil.example');
});
