import { expect, test } from 'vitest';
import { createKey, isKey, keyDigest } from './create-key.ts';

test('a key is its prefix, 32 characters and a checksum', () => {
  expect(createKey('secret')).toMatch(/^sk_live_[0-9A-Za-z]{38}$/);
  expect(createKey('publishable')).toMatch(/^pk_live_[0-9A-Za-z]{38}$/);
  expect(new Set(Array.from({ length: 100 }, () => createKey('secret'))).size).toBe(100);
});

test('every made key is recognised, and none with one character changed', () => {
  const key = createKey('secret');
  expect(isKey(key)).toBe(true);
  for (let index = 8; index < key.length; index++) {
    const other = key[index] === 'a' ? 'b' : 'a';
    expect(isKey(key.slice(0, index) + other + key.slice(index + 1))).toBe(false);
  }
  expect(isKey(key.replace('sk_', 'pk_'))).toBe(false);
  expect(isKey(`${key}a`)).toBe(false);
  expect(isKey('')).toBe(false);
});

test('the checksum is the one that scanners are told: CRC-32 of all before it, in base 62', () => {
  const body = 'sk_live_00000000000000000000000000000000';
  expect(isKey(`${body}2UYg5A`)).toBe(true);
  expect(isKey(`${body}2UYg5B`)).toBe(false);
});

test('the digest is SHA-256 in hexadecimal', () => {
  expect(keyDigest('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
