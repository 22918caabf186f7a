import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import type { Clock } from '../store/clock.ts';
import { openPostgresStore } from '../store/postgres/postgres-store.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { copyMigratedDatabase } from './copy-migrated-database.ts';
import { borrowTestDatabase } from './test-database.ts';

type Value = string | number | null;

export interface TestStore {
  /** The variables of a service on it. */
  readonly environment: Readonly<Record<string, string>>;
  /** As one more process opens it; by the clock of the engine, unless the test has its own. */
  open(clock?: Clock): Promise<Store>;
  /** One statement past the service, as an administrator of the database gives it: a `?` for each value. */
  readonly sql: (
    statement: string,
    ...values: readonly Value[]
  ) => Promise<readonly Record<string, unknown>[]>;
  /** How much of what is stored contains a text. */
  readonly count: (text: string) => Promise<number>;
}

type OnFinished = (callback: () => void | Promise<void>) => void;

/** An empty store of the engine that the run is for, which goes away once `onFinished` calls back. */
export function testStore(onFinished: OnFinished = onTestFinished): Promise<TestStore> {
  return process.env['TEST_STORE'] === 'postgres'
    ? postgresTestStore(onFinished)
    : sqliteTestStore(onFinished);
}

async function sqliteTestStore(onFinished: OnFinished): Promise<TestStore> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-'));
  onFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'test.db');
  await copyMigratedDatabase(path);
  return {
    environment: { DATABASE_URL: `file:${path}` },
    open: (clock) => openSqliteStore({ path, ...(clock && { clock }) }),
    async sql(statement, ...values) {
      const connection = new DatabaseSync(path, { timeout: 10_000 });
      try {
        return connection.prepare(statement).all(...values);
      } finally {
        connection.close();
      }
    },
    // The bytes of every file: what was removed must not be found in a page that nothing points to either.
    async count(text) {
      const { stdout } = spawnSync('grep', ['-r', '-a', '-c', '-h', '-F', '-e', text, folder], {
        encoding: 'utf8',
      });
      return stdout
        .trim()
        .split('\n')
        .reduce((sum, count) => sum + Number(count), 0);
    },
  };
}

async function postgresTestStore(onFinished: OnFinished): Promise<TestStore> {
  const { url, execute } = await borrowTestDatabase(onFinished);
  return {
    environment: { DATABASE_URL: url, ADMIN_TOKEN: 'a'.repeat(48), SECRET_KEY_BASE: 's'.repeat(48) },
    open: (clock) => openPostgresStore({ url, ...(clock && { clock }) }),
    sql: (statement, ...values) => {
      let place = 0;
      return execute(
        statement.replaceAll('?', () => `$${++place}`),
        values,
      );
    },
    async count(text) {
      const tables = await execute(
        `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
      );
      const counts = tables
        .map(({ name }) => `SELECT t::text AS row FROM ${String(name)} AS t`)
        .join(' UNION ALL ');
      const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
      // Bytes are shown in hexadecimal.
      const bytes = `%${Buffer.from(text).toString('hex')}%`;
      const [found] = await execute(
        `SELECT count(*) AS count FROM (${counts}) AS rows WHERE row LIKE $1 OR row LIKE $2`,
        [pattern, bytes],
      );
      return Number(found?.['count']);
    },
  };
}
