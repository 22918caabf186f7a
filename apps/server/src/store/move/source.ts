import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ownFile } from '../sqlite/file-owner.ts';
import { migrationNames } from '../sqlite/migrate.ts';
import { MoveError } from './move-error.ts';

export interface Source {
  /** Reads one snapshot, and writes nothing. */
  readonly connection: DatabaseSync;
  /** The same each time this database is opened with this schema, and of no other database. */
  readonly identity: string;
  close(): void;
}

/** Opens an SQLite file that no service holds and keeps services out of it until it is closed. */
export function openSource(path: string): Source {
  const file = resolve(path);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new MoveError(`There is no database at ${file}.`);
  const owner = own(file);
  const connection = new DatabaseSync(file, { readOnly: true });
  try {
    connection.exec('BEGIN');
    const identity = identify(connection, file);
    return {
      connection,
      identity,
      close() {
        connection.close();
        owner.release();
      },
    };
  } catch (error) {
    connection.close();
    owner.release();
    throw error;
  }
}

function own(file: string): { release(): void } {
  try {
    return ownFile(file);
  } catch (cause) {
    // What SQLite itself says is another matter, such as a folder that cannot be written to.
    if (cause instanceof Error && 'code' in cause) throw cause;
    throw new MoveError(
      `The database ${file} is in use. Stop the service that uses it: what it stored meanwhile would be lost.`,
      { cause },
    );
  }
}

/** When each migration ran, and the mark of the secret key, are together of one database only. */
function identify(connection: DatabaseSync, file: string): string {
  const isParley = connection.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'kysely_migration'`).get();
  const applied = isParley
    ? connection.prepare('SELECT name, timestamp FROM kysely_migration ORDER BY name').all()
    : [];
  const names = applied.map(({ name }) => String(name));
  if (names.join() !== migrationNames.toSorted().join())
    throw new MoveError(
      `The database ${file} has not the schema of this version. Start the service of this version on it once, stop it, and move it then.`,
    );
  const mark = connection.prepare('SELECT value FROM secret_check').all();
  return createHash('sha256')
    .update(JSON.stringify([applied, mark]))
    .digest('hex');
}
