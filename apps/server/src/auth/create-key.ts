import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyKind } from '@parley/protocol/settings/key';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefixes = { secret: 'sk_live_', publishable: 'pk_live_' } as const;
const wellFormed = /^((?:sk|pk)_live_[0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** Prefix, 32 random characters (190 bits) and a checksum, so that a look-alike is told without the store. */
export function createKey(kind: KeyKind): string {
  let body: string = prefixes[kind];
  for (let index = 0; index < 32; index++) body += alphabet[randomInt(alphabet.length)];
  return body + checksum(body);
}

/** Whether this can be a key of ours at all. */
export function isKey(value: string): boolean {
  const [, body, given] = wellFormed.exec(value) ?? [];
  return body !== undefined && checksum(body) === given;
}

/** What is stored instead of the key. Its entropy needs no slow hash. */
export function keyDigest(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let index = 0; index < 6; index++) {
    text = (alphabet[rest % alphabet.length] ?? '') + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}
