import { randomFillSync } from 'node:crypto';

const idBytes = 16;
/** Asking for the bytes of one id costs as much as asking for those of hundreds. */
const pool = Buffer.alloc(256 * idBytes);
let used = pool.length;

/** 128 random bits: with a publishable key, knowing it is the right to read. */
export function createSessionId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const id = pool.toString('hex', used, (used += idBytes));
  // Whoever reads this memory later finds no id that somebody holds.
  pool.fill(0, used - idBytes, used);
  return `ses_${id}`;
}
