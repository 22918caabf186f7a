import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { nodeSqliteDialect } from './kysely-dialect.ts';
import { migrate } from './migrate.ts';
import type { Tables } from '../tables.ts';

export interface Database {
  readonly connection: DatabaseSync;
  readonly queries: Kysely<Tables>;
}

/** How long a statement waits for another program that writes. */
export const busyTimeoutMs = 5_000;

/**
 * Opens or creates the file, and brings its schema up to date. Every commit is durable, even through a power cut, until
 * `groupCommit` takes over who brings it to the disk.
 */
export async function openDatabase(path: string): Promise<Database> {
  closeSync(openSync(path, 'a', 0o600));
  const connection = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    connection.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ON;
      PRAGMA secure_delete = ON;
      PRAGMA temp_store = MEMORY;
      PRAGMA journal_size_limit = 67108864;
    `);
    const queries = new Kysely<Tables>({ dialect: nodeSqliteDialect(connection) });
    await migrate(queries);
    return { connection, queries };
  } catch (error) {
    connection.close();
    throw error;
  }
}
