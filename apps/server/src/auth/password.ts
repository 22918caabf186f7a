import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { ProblemError } from '../http/problem.ts';

interface Cost {
  /** KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** The least memory of OWASP's equal choices for Argon2id: at 19 MiB the process stayed some 60 MB larger. Some 20 ms. */
const cost: Cost = { memory: 7_168, passes: 5, parallelism: 1 };
const saltBytes = 16;
const hashBytes = 32;
/** Each takes a thread of four, which files and the commits of the embedded database share. */
const maxRunning = 2;
/** More than that would wait for seconds. */
const maxWaiting = 40;

const phcPattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;
const derive = promisify(argon2);
const waiting: (() => void)[] = [];
let running = 0;

/** As it is stored: algorithm, cost, salt and hash in the PHC string format. Throws 503 when too many wait for theirs. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  return phc(salt, await hash(password, salt, cost));
}

/** Whether it is the password of the stored hash. Without one it takes as long, and is not. Throws 503 as `hashPassword`. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt, expected] = stored?.match(phcPattern) ?? [];
  const given = await hash(
    password,
    salt ? Buffer.from(salt, 'base64') : Buffer.alloc(saltBytes),
    // With the cost that it was made at, which may not be today's.
    salt ? { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) } : cost,
  );
  return expected !== undefined && timingSafeEqual(given, Buffer.from(expected, 'base64'));
}

async function hash(password: string, salt: Buffer, at: Cost): Promise<Buffer> {
  if (waiting.length >= maxWaiting)
    throw new ProblemError('UNAVAILABLE', 'Too many people sign in at this moment.', { retryAfter: 2 });
  if (running < maxRunning) running++;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await derive('argon2id', {
      message: password.normalize('NFKC'),
      nonce: salt,
      tagLength: hashBytes,
      ...at,
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
