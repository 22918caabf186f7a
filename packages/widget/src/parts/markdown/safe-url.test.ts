import { afterEach, expect, test, vi } from 'vitest';
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

afterEach(() => void vi.unstubAllGlobals());

/** As in a page, or in a frame of another's. */
const stubPage = (isFrame: boolean) => {
  vi.stubGlobal('location', { origin: 'https://shop.example' });
  vi.stubGlobal('window', {});
  vi.stubGlobal('parent', isFrame ? {} : window);
};

test.each([
  ['/orders/1042?tab=2', 'https://shop.example/orders/1042?tab=2'],
  ['help', 'https://shop.example/help'],
  ['//other.example/a', 'https://other.example/a'],
  ['https://other.example/', 'https://other.example/'],
  ['java\nscript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  [' ', undefined],
])('%j in a page leads to %s', (raw, href) => {
  stubPage(false);
  expect(safeUrl(raw)?.href).toBe(href);
});

test('a path leads nowhere in a frame, whose address is not that of the site', () => {
  stubPage(true);
  expect(safeUrl('/orders')).toBeNull();
  expect(safeUrl('https://other.example/')).not.toBeNull();
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
