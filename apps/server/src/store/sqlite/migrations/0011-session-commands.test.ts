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
import { up as limits } from './0005-limits.ts';
import { up as uploads } from './0006-uploads.ts';
import { up as conversationScope } from './0007-conversation-scope.ts';
import { up as history } from './0008-history.ts';
import { up as storeIndex } from './0009-store.ts';
import { up as turn } from './0010-turn.ts';

test('a session that the earlier version left running takes commands, and loses nothing', async () => {
  const file = join(testFolder(), 'earlier.db');
  const connection = new DatabaseSync(file);
  const db = new Kysely<unknown>({ dialect: nodeSqliteDialect(connection) });
  const getMigrations = async () => ({
    '0001-initial': { up: initial },
    '0002-visitors': { up: visitors },
    '0003-secret-check': { up: secretCheck },
    '0004-wake': { up: wake },
    '0005-limits': { up: limits },
    '0006-uploads': { up: uploads },
    '0007-conversation-scope': { up: conversationScope },
    '0008-history': { up: history },
    '0009-store': { up: storeIndex },
    '0010-turn': { up: turn },
  });
  expect((await new Migrator({ db, provider: { getMigrations } }).migrateToLatest()).error).toBeUndefined();
  connection.exec(`
    INSERT INTO sessions (id, tenant_id, agent_id, interface, status, next_index, next_position, epoch, owner,
      lease_until, created_at, active_at, state)
    VALUES ('session_1', 'tenant', 'agent', 'sessions', 'open', 0, 1, 1, 'earlier', 9, 0, 0, '{}');
    INSERT INTO queue (session, position, id, body, accepted_at) VALUES (1, 0, 'item', '{"kind":"clear"}', 0)`);
  connection.close();

  const store = await openSqliteStore({ path: file });
  expect(
    await store.sendCommand('session_1', { id: 'command_1', kind: 'cancel', body: { kind: 'cancel' } }),
  ).toBe('sent');
  expect(await store.listRunnable({ owner: 'next', limit: 9 })).toEqual(['session_1']);
  expect(await store.listQueue('session_1')).toMatchObject([{ id: 'item' }]);
  expect(await store.listCommands('session_1')).toEqual([
    { id: 'command_1', sessionId: 'session_1', body: { kind: 'cancel' } },
  ]);
  await store.close();
});
