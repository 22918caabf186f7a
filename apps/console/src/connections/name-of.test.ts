import { expect, test } from 'vitest';
import { nameOf } from './name-of.ts';

test.each([
  ['https://mcp.linear.app/mcp', 'linear'],
  ['https://www.example-shop.com', 'example-shop'],
  ['http://127.0.0.1:3001/mcp', ''],
  ['https://a-very-long-name-that-goes-on.example', 'a-very-long-name-that-go'],
  ['nothing', ''],
])('the name of %s is %s', (address, name) => {
  expect(nameOf(address)).toBe(name);
});
