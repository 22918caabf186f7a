import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { testFolder } from '../../testing/test-service.ts';
import {
  enqueueRequest,
  delta,
  historyOf,
  naming,
  opened,
  opening,
  start,
  textFile,
  uploaded,
} from '../contract/samples.ts';
import type { Store } from '../store.ts';
import { openSqliteStore } from './sqlite-store.ts';

const length = 6_000;
const request = { scope: 'scope', request: 'hash', result: null, ttlMs: 99_999 };

/** A session with something in every table. */
async function longSession(store: Store, sessionId = 'session_1'): Promise<void> {
  const lease = await opened(store, sessionId);
  for (let from = 0; from < length; from += 1_000)
    await store.commit(lease, {
      events: Array.from({ length: 1_000 }, (_, n) => delta(`${from + n}`)),
      history: [{ turn: from, message: 'said' }],
      results: [{ callId: `call_${from}`, result: 'found' }],
    });
  await uploaded(store);
  await store.enqueue(enqueueRequest({ sessionId, files: naming(textFile.id), idempotency: request }));
  await store.saveFeedback(sessionId, { turnId: 'turn_1', rating: 'up', comment: null, at: start });
  await store.saveQuestion(
    { sessionId, agentId: 'agent_1' },
    { digest: 'milk', question: 'Milk?', turn: 1, at: 1 },
    9,
  );
}

/** How many other writes were made while something was awaited. */
async function writesDuring(store: Store, awaited: Promise<unknown>): Promise<number> {
  let over = false;
  void awaited.finally(() => (over = true));
  let writes = 0;
  for (; !over; writes++) await store.ping();
  return writes;
}

test('a long session is removed page by page, and nobody meets a part of it', async () => {
  const store = await openSqliteStore({ path: join(testFolder(), 'test.db') });
  await longSession(store);
  const removed = store.removeSession('session_1');
  await store.ping();
  expect(await store.getSession('session_1')).toBeNull();
  expect(await store.readEvents('session_1', 0, 9)).toEqual({ events: [], next: null });
  expect(await historyOf(store, 'session_1')).toEqual([]);
  expect(await store.listQueue('session_1')).toEqual([]);
  expect(await store.files.get(textFile.id)).toBeNull();
  expect((await store.listFeedback({ agentId: 'agent_1', after: null, limit: 9 })).items).toEqual([]);
  expect(await store.listEnded({ agentId: null, idleMs: 0, limit: 9 })).toEqual([]);
  expect(await store.removeSession('session_1')).toBe(false);
  expect(await store.enqueue(enqueueRequest({ idempotency: request }))).toMatchObject({
    outcome: 'accepted',
  });
  expect(await writesDuring(store, removed)).toBeGreaterThan(5);
  expect(await removed).toBe(true);
  await store.close();
});

test('a tenant’s sessions are removed page by page', async () => {
  const store = await openSqliteStore({ path: join(testFolder(), 'test.db') });
  await store.settings.tenants.insert({ id: opening.tenantId, name: 'Firm', createdAt: '' });
  await longSession(store);
  for (let n = 2; n < 300; n++) await store.enqueue(enqueueRequest({ sessionId: `session_${n}` }));
  await store.enqueue(enqueueRequest({ sessionId: 'other', open: { ...opening, tenantId: 'tenant_2' } }));
  const removed = store.settings.tenants.remove(opening.tenantId);
  expect(await writesDuring(store, removed)).toBeGreaterThan(10);
  expect(await removed).toBe(true);
  for (const id of ['session_1', 'session_299']) expect(await store.getSession(id)).toBeNull();
  expect(await store.getSession('other')).not.toBeNull();
  await store.close();
});

test('what a process that was killed had begun to remove is gone after the next start', async () => {
  const folder = testFolder();
  const store = await openSqliteStore({ path: join(folder, 'test.db') });
  await longSession(store);
  const ofAda = { conversationId: 'ticket', conversationScope: 'visitor ada' };
  await store.enqueue(
    enqueueRequest({ sessionId: 'session_2', open: { ...opening, ...ofAda, interface: 'chat' } }),
  );
  const removed = Promise.all(['session_1', 'session_2'].map((id) => store.removeSession(id)));
  await store.ping();
  const copy = join(folder, 'copy');
  mkdirSync(copy);
  spawnSync('cp', [join(folder, 'test.db'), join(folder, 'test.db-wal'), copy]);
  await removed;
  await store.close();

  const parts = ['events', 'history', 'call_results', 'queue', 'files', 'file_chunks'];
  const tables = ['sessions', ...parts, 'feedback', 'open_questions', 'idempotency'];
  const all = (table: string) => {
    const database = new DatabaseSync(join(copy, 'test.db'), { readOnly: true });
    const found = database.prepare(`SELECT * FROM ${table}`).all();
    database.close();
    return found;
  };
  const rows = () => tables.map((table) => all(table).length);
  expect(rows()[1]).toBeGreaterThan(1_000);
  expect(rows()[3]).toBeGreaterThan(0);
  expect(JSON.stringify(all('sessions'))).not.toContain('ada');
  const next = await openSqliteStore({ path: join(copy, 'test.db') });
  await expect.poll(rows).toEqual(tables.map(() => 0));
  await next.close();
});
