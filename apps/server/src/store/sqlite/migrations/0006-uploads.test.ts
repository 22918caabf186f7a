import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { fileChunkBytes } from '../../file-store.ts';
import { enqueueRequest, naming, uploaded } from '../../contract/samples.ts';
import { nodeSqliteDialect } from '../kysely-dialect.ts';
import { sqliteStore } from '../sqlite-store.ts';
import type { Tables } from '../../tables.ts';
import { migrate } from '../migrate.ts';
import { up as initial } from './0001-initial.ts';
import { up as visitors } from './0002-visitors.ts';
import { up as secretCheck } from './0003-secret-check.ts';
import { up as wake } from './0004-wake.ts';

/** A database as it was before files had chunks, with what Kysely notes of its migrations. */
async function landed() {
  const connection = new DatabaseSync(':memory:');
  connection.exec('PRAGMA foreign_keys = ON');
  const queries = new Kysely<Tables>({ dialect: nodeSqliteDialect(connection) });
  for (const up of [initial, visitors, secretCheck, wake]) await up(queries as Kysely<unknown>);
  connection.exec(`
    CREATE TABLE kysely_migration (name VARCHAR(255) NOT NULL PRIMARY KEY, timestamp VARCHAR(255) NOT NULL);
    CREATE TABLE kysely_migration_lock (id VARCHAR(255) NOT NULL PRIMARY KEY, is_locked INTEGER DEFAULT 0 NOT NULL);
    INSERT INTO kysely_migration_lock VALUES ('migration_lock', 0);`);
  for (const name of ['0001-initial', '0002-visitors', '0003-secret-check', '0004-wake'])
    connection.prepare('INSERT INTO kysely_migration VALUES (?, ?)').run(name, '2026-01-01T00:00:00.000Z');
  return { connection, queries };
}

test('the files of an older database are read, counted and removed like any other', async () => {
  const { connection, queries } = await landed();
  const open = connection.prepare(`
    INSERT INTO sessions (key, id, tenant_id, agent_id, interface, visitor, status, next_index, next_position, epoch,
      lease_until, created_at, active_at, state)
    VALUES (?, ?, 'tenant_1', 'agent_1', 'sessions', ?, 'open', 0, 0, 0, 0, 0, 0, '{}')`);
  open.run(1, 'session_1', 'alice');
  open.run(2, 'session_2', null);
  const large = randomBytes(2 * fileChunkBytes + 1);
  const small = randomBytes(3);
  const insert = connection.prepare(
    'INSERT INTO files (id, session, media_type, filename, bytes) VALUES (?, ?, ?, ?, ?)',
  );
  insert.run('large', 1, 'image/png', 'a.png', large);
  insert.run('small', 2, 'text/plain', null, small);

  await migrate(queries);
  const store = sqliteStore({ connection, queries });
  expect(await store.files.get('large')).toEqual({
    id: 'large',
    tenantId: 'tenant_1',
    agentId: 'agent_1',
    visitor: 'alice',
    sessionId: 'session_1',
    mediaType: 'image/png',
    filename: 'a.png',
    size: large.length,
  });
  const chunks = await Promise.all([0, 1, 2].map((number) => store.files.chunk('large', number)));
  expect(Buffer.concat(chunks.map((chunk) => chunk!)).compare(large)).toBe(0);
  expect(await store.files.chunk('large', 3)).toBeNull();
  expect(await store.files.chunk('small', 0)).toEqual(new Uint8Array(small));

  await uploaded(store, { id: 'new' });
  const { open: _, ...followUp } = enqueueRequest({ sessionId: 'session_2' });
  const limited = (maxSessionBytes: number) => ({ ...naming('new'), maxSessionBytes });
  expect(await store.enqueue({ ...followUp, files: limited(5) })).toEqual({ outcome: 'files-full' });
  expect(await store.enqueue({ ...followUp, files: limited(6) })).toMatchObject({ outcome: 'accepted' });

  await store.removeSession('session_1');
  expect(await store.files.chunk('large', 0)).toBeNull();
  expect(await store.files.chunk('small', 0)).not.toBeNull();
  await store.close();
});
