import { argon2Sync } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './password.ts';

test('a password fits its own hash, no other does, and no two hashes are the same', async () => {
  const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
  expect(one).not.toBe(other);
  expect(await verifyPassword('correct horse', one)).toBe(true);
  expect(await verifyPassword('correct hors', one)).toBe(false);
  expect(await verifyPassword('correct horse', null)).toBe(false);
});

test('a hash that was made at another cost is still good', async () => {
  const nonce = Buffer.from('a salt of sixteen');
  const cost = { memory: 64, passes: 3, parallelism: 2 };
  const hash = argon2Sync('argon2id', { message: 'correct horse', nonce, tagLength: 32, ...cost });
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  const stored = `$argon2id$v=19$m=64,t=3,p=2$${text(nonce)}$${text(hash)}`;
  expect(await verifyPassword('correct horse', stored)).toBe(true);
  expect(await verifyPassword('correct hors', stored)).toBe(false);
});
