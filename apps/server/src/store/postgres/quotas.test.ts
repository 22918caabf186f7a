import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../testing/test-database.ts';
import { openPostgresStore } from './postgres-store.ts';

const windowMs = 60_000;

/** A store whose window was over a moment ago, somebody else in its database, and how many wait for a lock there. */
async function counting(...scopes: readonly string[]) {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  let now = 0;
  const store = await openPostgresStore({ url: database.url, clock: () => now });
  onTestFinished(() => store.close());
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  onTestFinished(() => other.end());
  const count = (limit: number) =>
    store.countQuotas(scopes.map((scope) => ({ scope, limit, windowMs, amount: 1 })));
  expect(await count(9)).toBeNull();
  now = windowMs;
  const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  const waits = (number: number) =>
    expect.poll(async () => (await database.execute(waiting)).length).toBe(number);
  return { database, other, count, waits };
}

test('what is counted while the counter of the window before is removed counts', async () => {
  const { other, count, waits } = await counting('turns');
  await other.query('BEGIN; DELETE FROM quotas');
  const counted = count(1);
  await waits(1);
  await other.query('COMMIT');
  expect(await counted).toBeNull();
  expect(await count(1)).toMatchObject({ retryAfterMs: windowMs });
});

test('counters that are removed meanwhile are made in the order in which all are locked', async () => {
  const { database, other, count, waits } = await counting('agent', 'visitor');
  await other.query(`BEGIN; SELECT FROM quotas WHERE scope = 'agent' FOR UPDATE`);
  const first = count(9);
  await waits(1);
  await database.execute(`DELETE FROM quotas WHERE scope = 'visitor'`);
  const second = count(9);
  await waits(2);
  await other.query('COMMIT');
  expect(await Promise.all([first, second])).toEqual([null, null]);
  expect(await database.execute(`SELECT used::integer FROM quotas`)).toEqual([{ used: 2 }, { used: 2 }]);
});
