import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  /** With a user who may do anything in it. */
  readonly url: string;
  /** Removes every row. */
  empty(): Promise<void>;
  /** One statement on a connection of its own. */
  execute(statement: string): Promise<readonly Record<string, unknown>[]>;
  readonly drop: () => Promise<void>;
}

/** An empty PostgreSQL database of its own, on a server that all tests share. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await postgresServerUrl();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await executeAt(server, `CREATE DATABASE ${name}`);
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
    execute: (statement) => executeAt(url, statement),
    async drop() {
      await client.end();
      await executeAt(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

let known: Promise<string> | null = null;

/** The server that all tests share, with a user who may create databases. */
export function postgresServerUrl(): Promise<string> {
  known ??= (async () => {
    // oxlint-disable-next-line eslint/no-restricted-globals -- a test asks the process that runs it
    const response = await fetch(inject('postgresStarter'));
    const answer = await response.text();
    if (!response.ok) throw new Error(answer);
    return answer;
  })();
  return known;
}

async function executeAt(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
