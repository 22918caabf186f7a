import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../testing/test-database.ts';
import {
  delta,
  enqueueRequest,
  opened,
  received,
  turnStarted,
  uploaded,
  naming,
} from '../contract/samples.ts';
import { openPostgresStore } from './postgres-store.ts';
import { dependents } from './session-removal.ts';

test('every table whose rows belong to a session is erased with it', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  await (await openPostgresStore({ url: database.url })).close();
  const tables = await database.execute(`
    SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'session' AND table_name <> 'files'`);
  expect(new Set(tables.map(({ name }) => name))).toEqual(new Set(dependents));
});

test('a long session is removed page by page, and what a process that died has left at the next start', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const store = await openPostgresStore({ url: database.url });
  const counts = async () => {
    const all = ['sessions', 'files', 'file_chunks', ...dependents];
    const rows = await database.execute(
      all
        .map((table) => `SELECT '${table}' AS name, count(*)::integer AS rows FROM ${table}`)
        .join(' UNION ALL '),
    );
    return rows.filter(({ rows: count }) => Number(count) > 0).map(({ name }) => name);
  };
  for (const sessionId of ['session_1', 'session_2']) {
    const lease = await opened(store, sessionId);
    await store.commit(lease, {
      events: [turnStarted(0), ...Array.from({ length: 1_000 }, (_, n) => delta(`${n}`))],
      history: [{ turn: 1, message: 'said' }],
      results: [{ callId: 'call', result: 'found' }],
    });
    await uploaded(store, { id: `file of ${sessionId}` });
    await store.enqueue(
      enqueueRequest({
        sessionId,
        files: naming(`file of ${sessionId}`),
        idempotency: { scope: sessionId, request: '', result: null, ttlMs: 60_000 },
      }),
    );
    await store.sendCommand(sessionId, { id: `command of ${sessionId}`, kind: 'cancel', body: null });
    const told = { webhookId: 'webhook_1', eventId: 'event_1', type: 'rating', body: '{}' };
    await store.saveFeedback(sessionId, { turnId: 'turn_1', rating: 'up', comment: null, at: 0 }, [
      { ...told, id: `delivery of ${sessionId}` },
    ]);
    await store.saveQuestion(
      { sessionId, agentId: 'agent_1' },
      { digest: 'milk', question: 'Milk?', turn: 1, at: 1 },
      9,
    );
    const grace = { id: 'member_1', name: 'Grace' };
    const waited = { sequence: 0, address: 'a@example.com', language: 'en', origin: null };
    await store.saveReadyMail(sessionId, waited, 60_000);
    await store.saveTransfer(sessionId, `digest of ${sessionId}`, 60_000);
    await store.assignThread(sessionId, grace);
    await store.addNote(sessionId, { id: `note of ${sessionId}`, author: grace, text: 'Noted.', at: 0 }, 9);
    const mail = {
      requestId: 'apr_1',
      address: 'a@example.com',
      memberId: null,
      isReminder: false,
      dueInMs: 0,
      endsInMs: 1_000,
    };
    const thread = { holder: null, isWaiting: true, askedOf: [grace.id] };
    await store.commit(lease, { events: [received('found')], approvalMails: [mail], thread });
    const found = (await store.listUnsearched()).map(({ messages, ...range }) => ({
      ...range,
      messages: messages.map(({ index, text }) => ({ index, terms: [text] })),
    }));
    await store.saveSearched(found);
    await store.commit(lease, { events: [received('not yet')] });
  }
  expect(await counts()).toHaveLength(3 + dependents.length);
  expect(await store.removeSession('session_1')).toBe(true);
  expect(await counts()).toHaveLength(3 + dependents.length);
  // As a process leaves it that dies once a session is hidden.
  await database.execute(`
    UPDATE files SET session = NULL, expires_at = 0;
    UPDATE sessions SET id = 'removed ' || key, status = 'removed', agent_id = '', tenant_id = '', owner = NULL`);
  await store.close();
  const next = await openPostgresStore({ url: database.url });
  await expect.poll(counts).toEqual([]);
  await next.close();
});

test('of two processes that remove the same session none leaves what the other has not come to', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const store = await openPostgresStore({ url: database.url });
  onTestFinished(() => store.close());
  const lease = await opened(store);
  await store.commit(lease, { events: Array.from({ length: 300 }, (_, n) => delta(`${n}`)), release: true });
  // The other one dies after the first half of a page.
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query('BEGIN');
  await other.query('DELETE FROM events WHERE idx < 100');
  const removed = store.removeSession('session_1');
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await expect.poll(() => database.execute(waiting)).toHaveLength(1);
  await other.query('COMMIT');
  expect(await removed).toBe(true);
  expect(await database.execute('SELECT idx FROM events')).toEqual([]);
  expect(await database.execute('SELECT key FROM sessions')).toEqual([]);
});
