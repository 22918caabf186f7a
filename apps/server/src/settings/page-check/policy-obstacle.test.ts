import { expect, test } from 'vitest';
import { policyObstacle } from './policy-obstacle.ts';

const service = 'https://chat.example.com';
const page = 'https://shop.example/cart';
const of = (policy: string, more: { nonce?: string; kind?: 'frame' | 'element' } = {}) =>
  policyObstacle([policy], { page, service, kind: 'script', nonce: null, ...more });

test.each([
  '',
  "object-src 'none'; img-src 'self'",
  'default-src *',
  'default-src https:',
  `script-src 'self' ${service}; connect-src 'self' ${service}`,
  'script-src https://*.example.com; connect-src chat.example.com:443',
  `script-src ${service}/`,
  `script-src 'none'; script-src-elem ${service}`,
])('a page with the policy %j has the chat', (policy) => {
  expect(of(policy)).toBeNull();
});

test.each([
  ["default-src 'self'", 'script', `script-src 'self' ${service}`],
  ["script-src 'none'", 'script', `script-src ${service}`],
  ["script-src-elem 'self'; script-src *", 'script', `script-src-elem 'self' ${service}`],
  [
    'script-src http://chat.example.com:8080 *.other.example',
    'script',
    `script-src http://chat.example.com:8080 *.other.example ${service}`,
  ],
  [`script-src ${service}; default-src 'self'`, 'connection', `connect-src 'self' ${service}`],
  [`script-src ${service}, connect-src 'self'`, 'connection', `connect-src 'self' ${service}`],
  ["script-src 'nonce-abc' 'strict-dynamic' https:", 'script', null],
])('the policy %j refuses its %s, which %j mends', (policy, refused, line) => {
  expect(of(policy)).toEqual({ refused, line });
});

test('a nonce on the tag counts, and frames and elements are asked about for what they do', () => {
  expect(of("script-src 'nonce-abc' 'strict-dynamic'", { nonce: 'abc' })).toBeNull();
  expect(of("script-src 'nonce-abc'", { nonce: 'other' })).toMatchObject({ refused: 'script' });
  expect(of("script-src 'none'", { kind: 'element' })).toBeNull();
  expect(of("default-src 'self'; script-src *", { kind: 'frame' })).toEqual({
    refused: 'frame',
    line: `frame-src 'self' ${service}`,
  });
});
