import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, test } from 'vitest';
import { testFolder } from '../../../testing/test-service.ts';
import { nodeSqliteDialect } from '../kysely-dialect.ts';
import { openSqliteStore } from '../sqlite-store.ts';
import { up } from './0001-initial.ts';

test('sessions of an earlier version go on: parked, running or waiting in the queue', async () => {
  const file = join(testFolder(), 'earlier.db');
  const connection = new DatabaseSync(file);
  const db = new Kysely<unknown>({ dialect: nodeSqliteDialect(connection) });
  const getMigrations = async () => ({ '0001-initial': { up } });
  expect((await new Migrator({ db, provider: { getMigrations } }).migrateToLatest()).error).toBeUndefined();
  const states = {
    idle: { nextTurn: 1, turn: null, parked: null },
    parked: { nextTurn: 1, turn: null, parked: { calls: [], requests: [] } },
    running: { nextTurn: 1, turn: { sequence: 0, step: { calls: [] } }, parked: null },
    speaking: { nextTurn: 1, turn: { sequence: 0, step: null }, parked: null },
  };
  const insert = connection.prepare(`
    INSERT INTO sessions (id, tenant_id, agent_id, interface, status, next_index, next_position, epoch, lease_until,
      created_at, active_at, state)
    VALUES (?, 'tenant', 'agent', 'sessions', 'open', 0, 1, 0, 0, 0, 0, ?)`);
  for (const [id, state] of Object.entries(states)) insert.run(id, JSON.stringify(state));
  const queue = connection.prepare('INSERT INTO queue VALUES (1, ?, ?, ?, 0)');
  queue.run(0, 'item_1', JSON.stringify({ kind: 'delivery', message: null }));
  queue.run(1, 'item_2', JSON.stringify({ kind: 'clear' }));
  connection.close();

  const store = await openSqliteStore({ path: file });
  const stateOf = async (id: string) => (await store.getSession(id))?.state;
  expect(await stateOf('idle')).toEqual({ ...states.idle, clientTools: [] });
  expect(await stateOf('parked')).toMatchObject({ clientTools: [], parked: { delegated: [] } });
  expect(await stateOf('running')).toMatchObject({ turn: { step: { delegated: [] } }, parked: null });
  expect(await stateOf('speaking')).toMatchObject({
    ...states.speaking,
    turn: { ...states.speaking.turn, visitor: null },
    clientTools: [],
  });
  expect((await store.listQueue('idle')).map(({ body }) => body)).toMatchObject([
    { kind: 'delivery', message: null, results: [], clientTools: null, visitor: null },
    { kind: 'clear' },
  ]);
  expect(await store.getSession('idle')).toMatchObject({ visitor: null });
  await store.close();
});
