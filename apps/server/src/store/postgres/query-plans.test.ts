import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, createTestDatabase } from '../../testing/test-database.ts';
import { fill, growingTables, hotCalls } from '../contract/hot-calls.ts';
import { openPostgresStore } from './postgres-store.ts';

/** Plans are made for the values of the first five times, and from then on for any. */
const times = 8;
/** A call reads a page of an index or two, and never all of it: a table has 400 rows and more. */
const maxReadPerCall = 200;

/** Between the keys of a row and of its copies. */
const apart = 1_000_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const store = await openPostgresStore({ url: database.url });
  await fill(store);
  await store.close();
  const key = `'key', key + n * ${apart}`;
  const session = `'session', session + n * ${apart}`;
  await multiply(
    'sessions',
    `${key}, 'id', id || ' ' || n, 'conversation_id', conversation_id || ' ' || n, 'owner', NULL`,
  );
  await multiply('threads', session);
  await multiply('turns', `${key}, ${session}, 'started_at', started_at + n * ${apart}`);
  await multiply('feedback', `${key}, ${session}`);
  await multiply('idempotency', `'scope', scope || ' ' || n, ${session}`);
  await multiply('quotas', `'scope', scope || ' ' || n`);
  await database.execute('VACUUM ANALYZE');
  // Of few rows a scan is what a planner chooses: it is asked whether it could do without.
  const [{ name } = {}] = await database.execute('SELECT current_database() AS name');
  await database.execute(`ALTER DATABASE ${String(name)} SET enable_seqscan = off`);
});
afterAll(() => database.drop());

// The server counts what it really did, also for the statements inside functions, whose plans EXPLAIN does not show.
test.each(Object.entries(hotCalls))('%s scans no table that grows', async (_, call) => {
  const before = await counts();
  const store = await openPostgresStore({ url: database.url });
  for (let n = 0; n < times; n += 1) await call(store, n);
  await store.close();
  const after = await counts();
  const read = [...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const);
  const most = (name: string) => (growing.has(name) ? 0 : times * maxReadPerCall);
  expect(read.filter(([name, count]) => count > most(name))).toEqual([]);
});

/** A hundred copies of every row, for plans that are worth it only where much is stored. */
async function multiply(table: string, changed: string): Promise<void> {
  await database.execute(`
    INSERT INTO ${table} OVERRIDING SYSTEM VALUE
    SELECT (jsonb_populate_record(original, jsonb_build_object(${changed}))).*
    FROM ${table} AS original, generate_series(1, 100) AS n`);
}

/** Of only those sessions that a process holds at the moment. */
const shortIndexes = new Set(['held_sessions']);

/** With those that this engine alone has. */
const tables = [...growingTables, 'digested_passages'];
const growing: ReadonlySet<string> = new Set(tables);

/** How often each growing table was scanned, and how many entries were read of each index of one. */
async function counts(): Promise<ReadonlyMap<string, number>> {
  // What a connection did is counted when it is gone at the latest.
  const open = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'parley'`;
  await expect.poll(() => database.execute(open)).toEqual([]);
  const rows = await database.execute(
    `SELECT relname AS name, seq_scan AS count FROM pg_stat_user_tables WHERE relname = ANY($1)
    UNION ALL SELECT indexrelname, idx_tup_read FROM pg_stat_user_indexes WHERE relname = ANY($1)`,
    [tables],
  );
  return new Map(
    rows
      .map(({ name, count }) => [String(name), Number(count)] as const)
      .filter(([name]) => !shortIndexes.has(name)),
  );
}
