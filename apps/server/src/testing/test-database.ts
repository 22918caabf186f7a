import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { SharedServer } from './postgres-setup.ts';

export interface TestDatabase {
  /** With a user who may do anything in it. */
  readonly url: string;
  /** Removes every row. */
  empty(): Promise<void>;
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
  const { url: server, template } = await sharedServer();
  const name = `test_${randomBytes(8).toString('hex')}`;
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
      await client.query(rows[0]?.list ?? '');
    },
    execute: (statement, values) => executeAt(url, statement, values),
    async drop() {
      await client.end();
      await executeAt(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
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
