import { expect, test } from 'vitest';
import { addressOf, originsOf } from './address-of.ts';

test.each([
  ['example.com', 'https://example.com/'],
  [' www.example.com/shop?a=b#c ', 'https://www.example.com/shop?a=b'],
  ['http://example.com', 'http://example.com/'],
  ['localhost:8080/x', 'http://localhost:8080/x'],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080/'],
  ['', null],
  ['nothing', null],
  ['javascript:alert(1)', null],
  ['https://*.example.com', null],
])('%s is the address %s', (typed, address) => {
  expect(addressOf(typed)).toBe(address);
});

test.each([
  ['https://example.com/shop', ['https://example.com', 'https://www.example.com']],
  ['https://www.example.com/', ['https://www.example.com', 'https://example.com']],
  ['https://example.co.uk/', ['https://example.co.uk', 'https://www.example.co.uk']],
  ['https://help.example.co.uk/', ['https://help.example.co.uk']],
  ['https://help.example.com/', ['https://help.example.com']],
  ['http://127.0.0.1:8080/', ['http://127.0.0.1:8080']],
  ['http://localhost/', ['http://localhost']],
])('visitors reach %s under %j', (address, origins) => {
  expect(originsOf(address)).toEqual(origins);
});
