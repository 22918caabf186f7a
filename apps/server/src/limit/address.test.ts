import { expect, test } from 'vitest';
import { addressNetwork } from './address.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:40001', '192.0.2.7'],
  ['[::ffff:192.0.2.7]:40001', '192.0.2.7'],
  ['2001:db8:0:1::7', '2001:db8:0:1'],
  ['2001:db8:0:1:ffff::1', '2001:db8:0:1'],
  ['[2001:db8:0:1::7]:40001', '2001:db8:0:1'],
  ['[2001:db8:0:1::7]', '2001:db8:0:1'],
  ['::1', '0:0:0:0'],
])('%s stands for %s, whatever port a proxy appends', (address, network) => {
  expect(addressNetwork(address)).toBe(network);
});
