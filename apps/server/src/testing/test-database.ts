import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { migrations } from '../store/postgres/migrate.ts';
import type { SharedServer } from './postgres-setup.ts';

export interface TestDatabase {
  /** With a user who may do anything in it. */
  readonly url: string;
  /** Removes every row. */
  empty(): Promise<void>;
  /** Ends every connection but that which empties it, and comes back once they are gone. */
  disconnect(): Promise<void>;
  /** One statement on a connection of its own, which says bytes as text. */
  readonly execute: (
    statement: string,
    values?: readonly unknown[],
  ) => Promise<readonly Record<string, unknown>[]>;
  readonly drop: () => Promise<void>;
}

/**
 * A PostgreSQL database of its own without a row, on a server that all tests share. Its schema is up to date, which
 * takes a copy a fifth of the time of making it, unless the test wants to see that happen.
 */
export async function createTestDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  const { url: server, template, prefix } = await sharedServer();
  const name = `${prefix}${randomBytes(8).toString('hex')}`;
  await executeAt(server, `CREATE DATABASE ${name} TEMPLATE ${migrated ? template : 'template1'}`);
  const url = Object.assign(new URL(server), { pathname: name }).href;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    url,
    async empty() {
      const { rows } = await client.query<{ list: string }>(`
        SELECT string_agg('DELETE FROM ' || quote_ident(tablename), ';') AS list FROM pg_tables
        WHERE schemaname = 'public' AND tablename NOT LIKE 'kysely_%'`);
      const removal = rows[0]?.list ?? '';
      await client.query(removal);
      // Triggers write of a removal, perhaps into a table that was emptied before.
      await client.query(removal);
    },
    async disconnect() {
      await client.query(`
        SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`);
    },
    execute: (statement, values) => executeAt(url, statement, values),
    async drop() {
      await client.end();
      await executeAt(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** Of tests that are over, without a row. */
const idle: TestDatabase[] = [];

/**
 * One whose tables the test leaves as they are, until `onFinished` calls back. Another test goes on with it then, unless
 * its migrations are not those of the template: to empty one takes a tenth of the time of making and removing it.
 */
export async function borrowTestDatabase(
  onFinished: (callback: () => Promise<void>) => void,
): Promise<Pick<TestDatabase, 'url' | 'execute'>> {
  const database = idle.pop() ?? (await createTestDatabase());
  onFinished(async () => {
    await database.disconnect();
    await database.empty();
    const applied = await database.execute('SELECT FROM kysely_migration');
    if (applied.length === Object.keys(migrations).length) idle.push(database);
    else await database.drop();
  });
  return database;
}

let known: Promise<SharedServer> | null = null;

/** The server that all tests share, with a user who may create databases. */
export async function postgresServerUrl(): Promise<string> {
  return (await sharedServer()).url;
}

function sharedServer(): Promise<SharedServer> {
  known ??= (async () => {
    // oxlint-disable-next-line eslint/no-restricted-globals -- a test asks the process that runs it
    const response = await fetch(inject('postgresStarter'));
    const answer = await response.text();
    if (!response.ok) throw new Error(answer);
    return JSON.parse(answer);
  })();
  return known;
}

async function executeAt(
  url: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, options: '-c bytea_output=escape' });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement, [...values])).rows;
  } finally {
    await client.end();
  }
}
