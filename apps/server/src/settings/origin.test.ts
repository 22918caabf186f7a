import { expect, test } from 'vitest';
import { originListed } from './origin.ts';

test.each([
  ['https://a.example', ['https://a.example'], true],
  ['https://a.example:8443', ['https://a.example'], false],
  ['http://a.example', ['https://a.example'], false],
  ['https://x.a.example', ['https://*.a.example'], true],
  ['https://y.x.a.example', ['https://*.a.example'], false],
  ['https://a.example', ['https://*.a.example'], false],
  ['https://xa.example', ['https://*.a.example'], false],
  ['http://x.a.example', ['https://*.a.example'], false],
  ['https://anything.example', ['*'], true],
  ['null', ['*'], false],
  ['https://a.example', [], false],
])('%s against %j: %s', (origin, listed, expected) => {
  expect(originListed(origin, listed)).toBe(expected);
});
