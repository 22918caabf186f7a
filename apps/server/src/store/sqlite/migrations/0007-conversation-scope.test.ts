import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, test } from 'vitest';
import { testFolder } from '../../../testing/test-service.ts';
import { nodeSqliteDialect } from '../kysely-dialect.ts';
import { openSqliteStore } from '../sqlite-store.ts';
import { up as initial } from './0001-initial.ts';
import { up as visitors } from './0002-visitors.ts';

test('conversations of an earlier version go on for secret keys, and turns for their visitor', async () => {
  const file = join(testFolder(), 'earlier.db');
  const connection = new DatabaseSync(file);
  const db = new Kysely<unknown>({ dialect: nodeSqliteDialect(connection) });
  const getMigrations = async () => ({ '0001-initial': { up: initial }, '0002-visitors': { up: visitors } });
  expect((await new Migrator({ db, provider: { getMigrations } }).migrateToLatest()).error).toBeUndefined();
  const insert = connection.prepare(`
    INSERT INTO sessions (id, tenant_id, agent_id, interface, conversation_id, visitor, status, next_index,
      next_position, epoch, lease_until, created_at, active_at, state)
    VALUES (?, 'tenant', 'agent', ?, ?, ?, 'open', 0, 1, 0, 0, 0, 0, ?)`);
  const idle = { nextTurn: 1, turn: null, parked: null };
  const running = { ...idle, turn: { sequence: 0, step: null } };
  insert.run('chat', 'chat', 'ticket-1', null, JSON.stringify(idle));
  insert.run('known', 'sessions', null, 'ada', JSON.stringify(running));
  insert.run('unknown', 'sessions', null, null, JSON.stringify(running));
  const queue = connection.prepare('INSERT INTO queue VALUES (?, 0, ?, ?, 0)');
  queue.run(2, 'item_1', JSON.stringify({ kind: 'delivery', message: null }));
  queue.run(3, 'item_2', JSON.stringify({ kind: 'delivery', message: null }));
  connection.close();

  const store = await openSqliteStore({ path: file });
  expect(await store.findConversation('agent', 'secret', 'ticket-1')).toMatchObject({
    id: 'chat',
    state: idle,
  });
  expect(await store.findConversation('agent', 'publishable', 'ticket-1')).toBeNull();
  expect(await store.getSession('known')).toMatchObject({
    conversationScope: null,
    state: { turn: { visitor: 'ada' } },
  });
  expect(await store.getSession('unknown')).toMatchObject({ state: { turn: { visitor: null } } });
  expect(await store.listQueue('known')).toMatchObject([{ body: { visitor: 'ada' } }]);
  expect(await store.listQueue('unknown')).toMatchObject([{ body: { visitor: null } }]);
  await store.close();
});
