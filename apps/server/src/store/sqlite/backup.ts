import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { busyTimeoutMs } from './database.ts';

/**
 * Copies the database at `from` as it is at this moment to the new file `to`, which is there whole or not at all. Another
 * process may own it and goes on writing: it sees a reader.
 */
export function backupDatabase(from: string, to: string): void {
  const draft = `${to}.partial`;
  rmSync(draft, { force: true });
  closeSync(openSync(draft, 'wx', 0o600));
  try {
    const connection = new DatabaseSync(from, { timeout: busyTimeoutMs });
    try {
      connection.prepare('VACUUM INTO ?').run(draft);
    } finally {
      connection.close();
    }
    place(draft, to);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Gives a whole file its name, durably, and never that of another. */
export function place(draft: string, to: string): void {
  if (existsSync(to)) throw new Error(`${to} is there already.`);
  flush(draft);
  renameSync(draft, to);
  flush(dirname(to));
}

function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
