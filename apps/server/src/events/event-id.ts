import { randomFillSync } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
let lastTime = 0;
/** All of the last id but its last character: most ids of a turn share it. */
let head = '';
const random = new Uint8Array(16);
/** Asking for 16 random bytes costs as much as asking for thousands. */
const pool = new Uint8Array(4096);
let poolUsed = pool.length;

/** `evt_` and a ULID, monotonic within the process. */
export function createEventId(now: number): string {
  if (now > lastTime) {
    lastTime = now;
    if (poolUsed === pool.length) {
      randomFillSync(pool);
      poolUsed = 0;
    }
    for (let index = 0; index < 16; index += 1) random[index] = pool[poolUsed++]! & 31;
    head = spellHead();
  } else if (random[15]! < 31) {
    random[15]! += 1;
  } else {
    increment();
    head = spellHead();
  }
  return head + alphabet[random[15]!];
}

function spellHead(): string {
  let time = '';
  for (let rest = lastTime, index = 0; index < 10; index += 1, rest = Math.floor(rest / 32)) {
    time = alphabet[rest % 32] + time;
  }
  let tail = '';
  for (const value of random.subarray(0, 15)) tail += alphabet[value];
  return `evt_${time}${tail}`;
}

function increment(): void {
  for (let index = 15; index >= 0; index -= 1) {
    if (random[index]! < 31) {
      random[index]! += 1;
      return;
    }
    random[index] = 0;
  }
}
