import { expect, test } from 'vitest';
import { parseEgressAllow } from './egress-allow.ts';

test('a host is opened with its port only, in whatever spelling', () => {
  const allow = parseEgressAllow(['Tools.Example.internal:3000', '0x7f.1:80', '[FD00:0::1]:8080', 'redis:1']);
  expect(allow.host('tools.example.internal', 3000)).toBe(true);
  expect(allow.host('tools.example.internal', 3001)).toBe(false);
  expect(allow.host('example.internal', 3000)).toBe(false);
  expect(allow.host('[fd00::1]', 8080)).toBe(true);
  expect(allow.host('redis', 1)).toBe(true);
  expect(allow.hasNetworks).toBe(false);
});

test('a network is opened for its addresses only', () => {
  const allow = parseEgressAllow([' 10.1.0.0/16', 'fd00:1::/32']);
  expect(allow.address({ address: '10.1.255.1', family: 4 })).toBe(true);
  expect(allow.address({ address: '10.2.0.1', family: 4 })).toBe(false);
  expect(allow.address({ address: 'fd00:1::9', family: 6 })).toBe(true);
  expect(allow.address({ address: 'fd00:2::9', family: 6 })).toBe(false);
  expect(allow.address({ address: '::ffff:10.1.0.1', family: 6 })).toBe(false);
});

test.each([
  '',
  '*',
  'localhost',
  '10.0.0.1',
  'fd00::1',
  'fd00::1:80x',
  'a:0',
  'a:65536',
  'a:b',
  'a b:80',
  'http://a:80',
  'a:80/x',
  'u@a:80',
  'a:1:2',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  '10.0.0/8',
  'fd00::/129',
  '::ffff:10.0.0.0/104',
  'example.com/24',
])('%j is denied', (entry) => {
  expect(() => parseEgressAllow(['10.0.0.0/8', entry])).toThrow(`cannot read ${JSON.stringify(entry)}`);
});

test('one error names every entry that cannot be read', () => {
  expect(() => parseEgressAllow(['one', '10.0.0.0/8', 'two'])).toThrow('"one", "two"');
});
