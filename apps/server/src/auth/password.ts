import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { ProblemError } from '../http/problem.ts';

/** OWASP's least for Argon2id: a hash takes some 50 ms and 19 MiB. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const saltBytes = 16;
const hashBytes = 32;
/** Each takes a thread of four, which files and name look-ups share. */
const maxRunning = 2;
/** More than that would wait for seconds. */
const maxWaiting = 40;

const derive = promisify(argon2);
const waiting: (() => void)[] = [];
let running = 0;

/** As it is stored: algorithm, cost, salt and hash in the PHC string format. Throws 503 when too many wait for theirs. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  return phc(salt, await hash(password, salt));
}

/** Whether it is the password of the stored hash. Without one it takes as long, and is not. Throws 503 as `hashPassword`. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, salt, expected] = stored?.match(/\$([\w+/]+)\$([\w+/]+)$/) ?? [];
  const given = await hash(password, salt ? Buffer.from(salt, 'base64') : Buffer.alloc(saltBytes));
  return expected !== undefined && timingSafeEqual(given, Buffer.from(expected, 'base64'));
}

async function hash(password: string, salt: Buffer): Promise<Buffer> {
  if (waiting.length >= maxWaiting)
    throw new ProblemError('UNAVAILABLE', 'Too many people sign in at this moment.', { retryAfter: 2 });
  if (running < maxRunning) running++;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await derive('argon2id', {
      message: password.normalize('NFKC'),
      nonce: salt,
      tagLength: hashBytes,
      ...cost,
    });
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

function phc(salt: Buffer, derived: Buffer): string {
  const { memory, passes, parallelism } = cost;
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(salt)}$${text(derived)}`;
}
