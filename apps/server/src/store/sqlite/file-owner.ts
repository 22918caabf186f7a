import { accessSync, constants, existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export class DatabaseInUseError extends Error {
  override readonly name = 'DatabaseInUseError';
}

/** Of SQLite: somebody holds a lock. */
const busy = 5;

/**
 * Makes this process the one owner of the database file at `path`, or throws `DatabaseInUseError`. Held through a lock
 * on a small file beside it, which the operating system frees however the process ends. Other programs may still read
 * the database.
 */
export function ownFile(path: string): { release(): void } {
  const file = `${path}-owner`;
  // Of a file that it may only read, SQLite would take a lock that others can hold as well.
  if (existsSync(file)) accessSync(file, constants.W_OK);
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    // Whatever else SQLite says is no other process.
    if (!(cause instanceof Error && 'errcode' in cause && cause.errcode === busy)) throw cause;
    throw new DatabaseInUseError(
      `The database ${path} is in use: an SQLite file has one owner, and another process holds it. Stop that one first.`,
      { cause },
    );
  }
  return {
    release() {
      if (lock.isOpen) lock.close();
    },
  };
}
