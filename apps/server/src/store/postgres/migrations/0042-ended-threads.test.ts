import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../../testing/test-database.ts';
import { opened } from '../../contract/samples.ts';
import { openPostgresStore } from '../postgres-store.ts';
import { up } from './0042-ended-threads.ts';

test('nobody answers or waits in what had ended before, and nobody who writes there is waited for', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const store = await openPostgresStore({ url: database.url });
  const thread = { holder: { id: 'member_1', name: 'Grace' }, isWaiting: true, askedOf: ['member_2'] };
  for (const id of ['open', 'ended', 'written'])
    await store.commit(await opened(store, id), { events: [], thread });
  await store.close();
  await database.execute(`UPDATE sessions SET status = 'completed' WHERE id <> 'open'`);
  const writer = new pg.Client({ connectionString: database.url });
  await writer.connect();
  await writer.query(`
    BEGIN; SELECT FROM threads WHERE session = (SELECT key FROM sessions WHERE id = 'written') FOR UPDATE`);
  const pool = new pg.Pool({ connectionString: database.url, lock_timeout: 1_000 });
  const queries = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  await up(queries);
  await queries.destroy();
  await writer.end();
  const threads = await database.execute(`
    SELECT id, holder_id AS holder, holder_name AS name, waiting_since IS NOT NULL AS waits, assignee_id AS assignee,
      asked_of_id AS asked, (SELECT count(*)::integer FROM thread_delegates AS d WHERE d.session = key) AS delegates
    FROM threads JOIN sessions ON key = session ORDER BY key`);
  const held = { holder: 'member_1', name: 'Grace', waits: true, assignee: 'member_1', asked: 'member_2' };
  expect(threads).toEqual([
    { id: 'open', ...held, delegates: 1 },
    { id: 'ended', holder: null, name: null, waits: false, assignee: 'member_1', asked: null, delegates: 0 },
    { id: 'written', ...held, delegates: 0 },
  ]);
});
