import { expect, test } from 'vitest';
import { originListed, sharedSuffix, usableOrigins } from './origins.ts';

test.each([
  ['https://a.example', ['https://a.example'], true],
  ['https://a.example:8443', ['https://a.example'], false],
  ['http://a.example', ['https://a.example'], false],
  ['https://x.a.example', ['https://*.a.example'], true],
  ['https://y.x.a.example', ['https://*.a.example'], true],
  ['https://x.a.example:8443', ['https://*.a.example:8443'], true],
  ['https://x.a.example:8443', ['https://*.a.example'], false],
  ['https://a.example', ['https://*.a.example'], false],
  ['https://xa.example', ['https://*.a.example'], false],
  ['https://x.a.example.evil.example', ['https://*.a.example'], false],
  ['http://x.a.example', ['https://*.a.example'], false],
  ['https://me.github.io', ['https://*.github.io'], false],
  ['https://me.github.io', ['https://me.github.io'], true],
  ['https://preview.me.github.io', ['https://*.me.github.io'], true],
  ['https://anything.example', ['*'], true],
  ['null', ['*'], false],
  ['https://a.example', [], false],
])('%s against %j: %s', (origin, listed, expected) => {
  expect(originListed(origin, listed)).toBe(expected);
  expect(originListed(origin, new Set(listed))).toBe(expected);
});

test('a wildcard below a public suffix, of ICANN’s or a private one, or of an address stands for nothing', () => {
  const shared = [
    'com',
    'co.uk',
    'github.io',
    'vercel.app',
    's3.amazonaws.com',
    'ck',
    'foo.ck',
    'kawasaki.jp',
    'xn--p1ai',
    'localhost',
    '127.0.0.1',
    'github.io:8443',
    'github.io.',
  ];
  for (const host of shared) expect(sharedSuffix(`https://*.${host}`), host).not.toBeNull();
  expect(usableOrigins(shared.map((host) => `https://*.${host}`))).toEqual([]);
  const own = [
    'https://*.example.com',
    'https://*.example.co.uk',
    'https://*.me.github.io',
    'https://*.city.kawasaki.jp',
    'https://github.io',
    'http://localhost:3000',
    '*',
  ];
  expect(usableOrigins(own)).toEqual(own);
});

test('an origin of very many labels is judged at once', () => {
  const origin = `https://${'a.'.repeat(8_000)}example.com`;
  expect(originListed(origin, ['https://*.example.com'])).toBe(false);
});
