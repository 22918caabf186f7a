import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { place } from './backup.ts';
import { ownFile } from './file-owner.ts';
import { migrationNames } from './migrate.ts';

export class RestoreError extends Error {
  override readonly name = 'RestoreError';
}

/** Puts the backup `from` in the place of a database that is not there. Throws `RestoreError` for what the operator has to know. */
export function restoreDatabase(from: string, to: string): void {
  if (!statSync(from, { throwIfNoEntry: false })?.isFile())
    throw new RestoreError(`There is no file ${from}.`);
  // Only the file itself is copied. The log of one that a link leads to is beside that file.
  const log = `${realpathSync(from)}-wal`;
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw new RestoreError(
      `${from} is no backup: what was written to it last is in ${log}. Take a backup of it with DATABASE_URL=file:${from}, and restore that.`,
    );
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  const owner = ownFile(to);
  try {
    // A log that is left of another database would be taken for this one's.
    for (const file of [to, `${to}-wal`, `${to}-shm`])
      if (existsSync(file))
        throw new RestoreError(
          `${file} is there already. Move it away, with the files ending in -wal and -shm beside it, and keep the one ending in .secret-key-base.`,
        );
    if (!isDatabase(from)) throw new RestoreError(`${from} is no SQLite database.`);
    const draft = `${to}.partial`;
    try {
      copyFileSync(from, draft);
      chmodSync(draft, 0o600);
      check(draft, from);
      place(draft, to);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  } finally {
    owner.release();
  }
}

function isDatabase(file: string): boolean {
  const descriptor = openSync(file, 'r');
  try {
    const head = Buffer.alloc(16);
    readSync(descriptor, head);
    return head.toString('latin1') === 'SQLite format 3\0';
  } finally {
    closeSync(descriptor);
  }
}

function check(path: string, name: string): void {
  const connection = new DatabaseSync(path);
  try {
    const sound = connection.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'];
    if (sound !== 'ok') throw new RestoreError(`${name} is damaged: ${String(sound)}`);
    const isParley = connection.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'kysely_migration'`).get();
    if (!isParley) throw new RestoreError(`${name} is no database of Parley.`);
    const applied = connection.prepare('SELECT name FROM kysely_migration').all();
    if (applied.some((row) => !migrationNames.includes(String(row['name']))))
      throw new RestoreError(`${name} was written by a newer version of Parley. Restore it with that one.`);
  } finally {
    connection.close();
  }
}
