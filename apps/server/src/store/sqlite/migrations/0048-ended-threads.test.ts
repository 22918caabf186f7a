import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../../../testing/test-service.ts';
import { opened } from '../../contract/samples.ts';
import { nodeSqliteDialect } from '../kysely-dialect.ts';
import { openSqliteStore } from '../sqlite-store.ts';
import { up } from './0048-ended-threads.ts';

test('nobody answers or waits in what had ended before, and whoever looks after it still does', async () => {
  const path = join(testFolder(), 'earlier.db');
  const store = await openSqliteStore({ path });
  const thread = { holder: { id: 'member_1', name: 'Grace' }, isWaiting: true, askedOf: ['member_2'] };
  for (const id of ['open', 'ended']) await store.commit(await opened(store, id), { events: [], thread });
  await store.close();
  const connection = new DatabaseSync(path);
  onTestFinished(() => connection.close());
  connection.exec(`UPDATE sessions SET status = 'completed' WHERE id = 'ended'`);
  await up(new Kysely<unknown>({ dialect: nodeSqliteDialect(connection) }));
  const threads = `
    SELECT id, holder_id AS holder, holder_name AS name, waiting_since IS NOT NULL AS waits, assignee_id AS assignee,
      asked_of_id AS asked, (SELECT count(*) FROM thread_delegates AS d WHERE d.session = key) AS delegates
    FROM threads JOIN sessions ON key = session ORDER BY key`;
  expect(connection.prepare(threads).all()).toEqual([
    {
      id: 'open',
      holder: 'member_1',
      name: 'Grace',
      waits: 1,
      assignee: 'member_1',
      asked: 'member_2',
      delegates: 1,
    },
    { id: 'ended', holder: null, name: null, waits: 0, assignee: 'member_1', asked: null, delegates: 0 },
  ]);
});
