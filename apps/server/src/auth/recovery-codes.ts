import { createHash, randomBytes } from 'node:crypto';
import { toBase32 } from './totp.ts';

const count = 10;
/** 80 bits, which need no slow hash. */
const codeBytes = 10;

/** As they are written down: `abcd-efgh-ijkl-mnop`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: count }, () =>
    (toBase32(randomBytes(codeBytes)).toLowerCase().match(/.{4}/g) ?? []).join('-'),
  );

/** What is stored of a code, whatever it is spaced with. */
export const recoveryCodeDigest = (memberId: string, code: string): string =>
  createHash('sha256')
    .update(`${memberId} ${code.toLowerCase().replaceAll(/[\s-]/g, '')}`)
    .digest('hex');
