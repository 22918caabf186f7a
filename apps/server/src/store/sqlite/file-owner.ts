import { DatabaseSync } from 'node:sqlite';

export class DatabaseInUseError extends Error {
  override readonly name = 'DatabaseInUseError';
}

/**
 * Makes this process the one owner of the database file at `path`, or throws. Held through a lock on a small file
 * beside it, which the operating system frees however the process ends. Other programs may still read the database.
 */
export function ownFile(path: string): { release(): void } {
  const lock = new DatabaseSync(`${path}-owner`, { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw new DatabaseInUseError(
      `The database ${path} is in use: an SQLite file has one owner, and another process holds it`,
      { cause },
    );
  }
  return {
    release() {
      if (lock.isOpen) lock.close();
    },
  };
}
