import { expect, test } from 'vitest';
import { createSecrets } from './secrets.ts';

const first = 'first base of at least thirty-two characters';
const second = 'second base of at least thirty-two characters';

test('what is encrypted is decrypted again, and reads differently every time', () => {
  const secrets = createSecrets([first]);
  const encrypted = secrets.encrypt('canary ü', 'agent 1');
  expect(secrets.decrypt(encrypted, 'agent 1')).toBe('canary ü');
  expect(encrypted).not.toContain('canary');
  expect(secrets.encrypt('canary ü', 'agent 1')).not.toBe(encrypted);
});

test('an encrypted value is decrypted neither in another context nor altered', () => {
  const secrets = createSecrets([first]);
  const encrypted = secrets.encrypt('canary', 'agent 1');
  expect(() => secrets.decrypt(encrypted, 'agent 2')).toThrow();
  const [version, id, nonce, body = ''] = encrypted.split('.');
  const altered = `${body.startsWith('A') ? 'B' : 'A'}${body.slice(1)}`;
  expect(() => secrets.decrypt([version, id, nonce, altered].join('.'), 'agent 1')).toThrow();
});

test('a rotated base still decrypts and verifies, and no longer encrypts or signs', () => {
  const before = createSecrets([first]);
  const rotated = createSecrets([second, first]);
  expect(rotated.decrypt(before.encrypt('canary', 'x'), 'x')).toBe('canary');
  expect(rotated.verify('token', 'id', before.mac('token', 'id'))).toBe(true);
  expect(() => before.decrypt(rotated.encrypt('canary', 'x'), 'x')).toThrow('SECRET_KEY_BASE');
  expect(rotated.mac('token', 'id')).toBe(createSecrets([second]).mac('token', 'id'));
});

test('a digest is good for its purpose and value only', () => {
  const secrets = createSecrets([first]);
  const mac = secrets.mac('token', 'id');
  expect(secrets.verify('token', 'id', mac)).toBe(true);
  expect(secrets.verify('other', 'id', mac)).toBe(false);
  expect(secrets.verify('token', 'other', mac)).toBe(false);
  expect(secrets.verify('token', 'id', '')).toBe(false);
  expect(secrets.verify('token', 'id', mac.slice(0, -2))).toBe(false);
});

test('a digest has one spelling', () => {
  const secrets = createSecrets([first]);
  const mac = secrets.mac('token', 'id');
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const taken = alphabet.split('').filter((last) => secrets.verify('token', 'id', mac.slice(0, -1) + last));
  expect(taken).toEqual([mac.at(-1)]);
  expect(secrets.verify('token', 'id', `${mac}=`)).toBe(false);
});
