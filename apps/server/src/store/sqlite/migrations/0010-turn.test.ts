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
import { up as secretCheck } from './0003-secret-check.ts';
import { up as wake } from './0004-wake.ts';

test('what waits in open sessions of the earlier version stays; ended ones run nothing and are held by nobody', async () => {
  const file = join(testFolder(), 'earlier.db');
  const connection = new DatabaseSync(file);
  const db = new Kysely<unknown>({ dialect: nodeSqliteDialect(connection) });
  const getMigrations = async () => ({
    '0001-initial': { up: initial },
    '0002-visitors': { up: visitors },
    '0003-secret-check': { up: secretCheck },
    '0004-wake': { up: wake },
  });
  expect((await new Migrator({ db, provider: { getMigrations } }).migrateToLatest()).error).toBeUndefined();
  const insert = connection.prepare(`
    INSERT INTO sessions (id, tenant_id, agent_id, interface, status, next_index, next_position, epoch, owner,
      lease_until, created_at, active_at, state)
    VALUES (?, 'tenant', 'agent', 'sessions', ?, 0, 1, 1, 'runner', 9, 0, 0, '{}')`);
  insert.run('going', 'open');
  insert.run('over', 'completed');
  for (const session of [1, 2]) {
    connection.prepare(`INSERT INTO queue VALUES (?, 0, 'item', '{"kind":"clear"}', 0)`).run(session);
  }
  connection.close();

  const store = await openSqliteStore({ path: file });
  expect(await store.listQueue('going')).toMatchObject([{ id: 'item', acceptedIndex: null }]);
  expect(await store.listQueue('over')).toEqual([]);
  expect(await store.listRunnable({ owner: 'next', limit: 9 })).toEqual(['going']);
  await store.close();
  const after = new DatabaseSync(file);
  const leases = after.prepare('SELECT id, owner, lease_until AS until FROM sessions ORDER BY key').all();
  after.close();
  expect(leases).toEqual([
    { id: 'going', owner: 'runner', until: 0 },
    { id: 'over', owner: null, until: 0 },
  ]);
});
