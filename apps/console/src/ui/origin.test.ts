import { expect, test } from 'vitest';
import { originOf } from './origin.ts';

test.each([
  ['example.com/shop?a=b', 'https://example.com'],
  [' https://www.example.com/ ', 'https://www.example.com'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['localhost:3000', 'http://localhost:3000'],
  ['127.0.0.1:8080/x', 'http://127.0.0.1:8080'],
  ['https://*.example.com', 'https://*.example.com'],
  ['not an address', null],
  ['', null],
  ['shop', null],
  ['javascript:alert(1)', null],
  ['ftp://example.com', null],
])('%s is %s', (typed, origin) => {
  expect(originOf(typed)).toBe(origin);
});
