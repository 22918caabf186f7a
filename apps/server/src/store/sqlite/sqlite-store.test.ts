import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { copyMigratedDatabase } from '../../testing/copy-migrated-database.ts';
import { describeStore } from '../contract.ts';
import {
  askedInWhatEnded,
  enqueueRequest,
  delta,
  endWhileAsked,
  logOf,
  opened,
  start,
  texts,
  turnStarted,
} from '../contract/samples.ts';
import { dayMs } from '../day-ms.ts';
import { StoreUnavailableError } from '../store-error.ts';
import { openDatabase } from './database.ts';
import { openSqliteStore, sqliteStore } from './sqlite-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-store-'));
let files = 0;
const path = () => join(folder, `${files++}.db`);
afterAll(() => rmSync(folder, { recursive: true }));

describeStore('sqlite', async (clock) => {
  const file = path();
  await copyMigratedDatabase(file);
  const store = await openSqliteStore({ path: file, clock });
  return { stores: [store], close: () => store.close() };
});

const writeLoop = fileURLToPath(new URL('./write-loop.ts', import.meta.url));
const limitedWrites = fileURLToPath(new URL('./limited-writes.ts', import.meta.url));

function integrity(file: string): unknown {
  const database = new DatabaseSync(file);
  const result = database.prepare('PRAGMA integrity_check').get()?.['integrity_check'];
  database.close();
  return result;
}

/** How many lines of the database's files hold a text. */
function grep(text: string, file: string): number {
  const { stdout } = spawnSync('grep', ['-a', '-c', '-h', text, file, `${file}-wal`], { encoding: 'utf8' });
  return stdout
    .trim()
    .split('\n')
    .reduce((sum, count) => sum + Number(count), 0);
}

test('what is written before the store is there survives a power cut, not only a crash', async () => {
  const { connection } = await openDatabase(path());
  const pragma = (name: string) => Object.values(connection.prepare(`PRAGMA ${name}`).get()!)[0];
  expect({ log: pragma('journal_mode'), sync: pragma('synchronous') }).toEqual({ log: 'wal', sync: 2 });
  connection.close();
});

test('a second owner is rejected until the first lets go', async () => {
  const file = path();
  const store = await openSqliteStore({ path: file });
  await expect(openSqliteStore({ path: file })).rejects.toThrow(
    /in use: an SQLite file has one owner.*Stop that one first/,
  );
  const second = spawnSync(process.execPath, [writeLoop, file], { encoding: 'utf8' });
  expect(second.status).toBe(1);
  expect(second.stderr).toContain('in use: an SQLite file has one owner');
  await store.enqueue(enqueueRequest());
  await store.close();
  const next = await openSqliteStore({ path: file });
  expect(await next.listQueue('session_1')).toHaveLength(1);
  await next.close();
});

test('what ends asks nobody any more', async () => {
  const file = path();
  const store = await openSqliteStore({ path: file });
  await endWhileAsked(store, 'member_1');
  await store.close();
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  expect(database.prepare(askedInWhatEnded).all()).toEqual([{ ended: 2, asked: 0, delegates: 0 }]);
});

test('what an earlier owner held may be taken over at once, however many sessions', async () => {
  const file = path();
  const store = await openSqliteStore({ path: file });
  await Promise.all(Array.from({ length: 501 }, (_, n) => opened(store, `session_${n}`)));
  expect(await store.listRunnable({ owner: 'second', limit: 1_000 })).toEqual([]);
  await store.close();
  const next = await openSqliteStore({ path: file });
  expect(await next.listRunnable({ owner: 'second', limit: 1_000 })).toHaveLength(501);
  expect(await next.acquireLease('session_0', { owner: 'second', leaseMs: 1_000 })).not.toBeNull();
  await next.close();
});

test('after kill -9 in the middle of writing nothing acknowledged is lost, ten times over', async () => {
  const file = path();
  let acknowledged = -1;
  let accepted = 0;
  for (let round = 0; round < 10; round++) {
    const child = spawn(process.execPath, [writeLoop, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exit = once(child, 'exit');
    const enough = acknowledged + 20 + Math.floor(Math.random() * 400);
    for await (const line of createInterface({ input: child.stdout })) {
      if (line === 'accepted') accepted++;
      else acknowledged = Number(line);
      if (acknowledged >= enough) child.kill('SIGKILL');
    }
    expect((await exit)[1]).toBe('SIGKILL');

    expect(integrity(file)).toBe('ok');
    const store = await openSqliteStore({ path: file });
    const events = await logOf(store, 'session_1');
    expect(events.length).toBeGreaterThan(acknowledged);
    expect(texts(events)).toEqual(events.map((_, index) => `${index}`));
    expect((await store.getSession('session_1'))?.nextIndex).toBe(events.length);
    const positions = (await store.listQueue('session_1')).map(({ position }) => position);
    expect(positions).toEqual(Array.from({ length: accepted - 1 }, (_, n) => n + 1));
    await store.close();
    acknowledged = events.length - 1;
  }
});

test('what is acknowledged is in the files at that moment', async () => {
  const file = path();
  const store = await openSqliteStore({ path: file });
  const lease = await opened(store);
  for (let round = 0; round < 5; round++) {
    await store.commit(lease, { events: [delta(`${round}`)] });
    const copy = join(folder, `copy-${round}`);
    mkdirSync(copy);
    // Not by this process: closing a file would drop the locks SQLite holds on it.
    spawnSync('cp', [file, `${file}-wal`, copy]);
    const elsewhere = await openSqliteStore({ path: join(copy, file.slice(folder.length)) });
    expect(await logOf(elsewhere, 'session_1')).toHaveLength(round + 1);
    await elsewhere.close();
  }
  await store.close();
});

test('a full database rejects all writers of the transaction, keeps nothing of them, and recovers', async () => {
  const file = path();
  const database = await openDatabase(file);
  const store = sqliteStore(database);
  const lease = await opened(store);
  await store.commit(lease, { events: [delta('before')] });
  const { page_count: pages } = database.connection.prepare('PRAGMA page_count').get()!;
  database.connection.exec(`PRAGMA max_page_count = ${Number(pages)}`);

  const large = { events: [delta('x'.repeat(100_000))], state: 'large', consume: [0] };
  const writes = [
    store.renewLeases({ owner: 'runner', leaseMs: 99 }),
    store.commit(lease, large),
    store.deleteIdempotencyKey('scope', null),
  ];
  for (const write of await Promise.allSettled(writes)) {
    expect(write).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailableError) });
  }
  expect(texts(await logOf(store, 'session_1'))).toEqual(['before']);
  expect(await store.getSession('session_1')).toMatchObject({ nextIndex: 1, state: { turns: 0 } });
  expect(await store.listQueue('session_1')).toHaveLength(1);

  database.connection.exec('PRAGMA max_page_count = 1000000');
  expect(await store.commit(lease, large)).toMatchObject({ firstIndex: 1 });
  await store.close();
  expect(integrity(file)).toBe('ok');
});

test('a database that became read-only still reads, says so, and recovers', async () => {
  const database = await openDatabase(path());
  const store = sqliteStore(database);
  await opened(store);
  database.connection.exec('PRAGMA query_only = ON');
  await expect(store.enqueue(enqueueRequest())).rejects.toThrow(StoreUnavailableError);
  await expect(store.ping()).rejects.toThrow(StoreUnavailableError);
  await expect(store.settings.tenants.insert({ id: 't', name: 'T', createdAt: '' })).rejects.toThrow(
    StoreUnavailableError,
  );
  expect(await store.listQueue('session_1')).toHaveLength(1);
  database.connection.exec('PRAGMA query_only = OFF');
  await store.ping();
  expect(await store.enqueue(enqueueRequest())).toMatchObject({ outcome: 'accepted' });
  await store.close();
});

test('when the system refuses to let the files grow, writes fail whole and go on once it does not', async () => {
  const file = path();
  await copyMigratedDatabase(file);
  const limited = spawnSync(
    'sh',
    ['-c', 'ulimit -S -f 2000; exec "$0" "$@"', process.execPath, limitedWrites, file],
    {
      encoding: 'utf8',
    },
  );
  expect(limited.stderr).toBe('');
  expect(JSON.parse(limited.stdout)).toEqual({
    unavailable: true,
    ping: true,
    readable: true,
    recovered: 'accepted',
    whole: true,
  });
  expect(integrity(file)).toBe('ok');
});

test('what was removed is in none of the files', async () => {
  const file = path();
  const store = await openSqliteStore({ path: file });
  const secret = 'correct horse battery staple';
  const found = () => grep(secret, file);
  const lease = await opened(store);
  await store.commit(lease, { events: [delta(secret)], history: [{ turn: 1, message: secret }] });
  expect(found()).toBeGreaterThan(0);
  await store.removeSession('session_1');
  await expect.poll(found).toBe(0);
  await store.close();
});

test('no write waits for a reader of another program, and what was erased leaves the files after it', async () => {
  const file = path();
  const warnings: string[] = [];
  const store = await openSqliteStore({ path: file, warn: (_details, message) => warnings.push(message) });
  const secret = 'correct horse battery staple';
  const lease = await opened(store);
  await store.commit(lease, { events: [delta(secret)] });
  const backup = new DatabaseSync(file, { readOnly: true });
  backup.exec('BEGIN');
  const seen = () => backup.prepare('SELECT count(*) AS events FROM events').get()?.['events'];
  expect(seen()).toBe(1);

  await store.removeSession('session_1');
  // Beyond what a checkpoint inside a commit would begin at, and what the log may hold without a word.
  for (let write = 0; write < 70; write++)
    await store.settings.tenants.insert({
      id: `tenant_${write}`,
      name: 'x'.repeat(1_000_000),
      createdAt: '',
    });
  expect(seen()).toBe(1);
  await expect.poll(() => warnings).toEqual([expect.stringContaining('write-ahead log')]);
  expect(grep(secret, file)).toBeGreaterThan(0);

  backup.exec('COMMIT');
  await expect.poll(() => grep(secret, file)).toBe(0);
  expect(statSync(`${file}-wal`).size).toBe(0);
  backup.close();
  await store.close();
});

test('the log is not waited for either when a reader has all of it', async () => {
  const file = path();
  const store = await openSqliteStore({ path: file });
  await opened(store);
  const backup = new DatabaseSync(file, { readOnly: true });
  await store.removeSession('session_1');
  backup.exec('BEGIN');
  backup.prepare('SELECT count(*) FROM events').get();
  let longest = 0;
  for (const end = performance.now() + 2_500; performance.now() < end;) {
    const before = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 20));
    longest = Math.max(longest, performance.now() - before);
  }
  // The busy handler would wait for 5 s.
  expect(longest).toBeLessThan(4_000);
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
  backup.close();
  await expect.poll(() => statSync(`${file}-wal`).size).toBe(0);
  await store.close();
});

test('what was erased right before a crash leaves the files at the next start', async () => {
  const file = path();
  const store = await openSqliteStore({ path: file });
  const secret = 'correct horse battery staple';
  await store.commit(await opened(store), { events: [delta(secret)] });
  await store.removeSession('session_1');
  const copy = join(folder, 'after-crash');
  mkdirSync(copy);
  spawnSync('cp', [file, `${file}-wal`, copy]);
  await store.close();
  const copied = join(copy, file.slice(folder.length));
  expect(grep(secret, copied)).toBeGreaterThan(0);
  const next = await openSqliteStore({ path: copied });
  expect(grep(secret, copied)).toBe(0);
  await next.close();
});

test('what has expired is swept up by later requests', async () => {
  const database = await openDatabase(path());
  let now = start;
  const store = sqliteStore(database, { clock: () => now });
  const request = (n: number) =>
    enqueueRequest({
      sessionId: `session_${n}`,
      rateLimits: [{ scope: `visitor ${n}`, limit: 1, windowMs: 1000 }],
      idempotency: { scope: `request ${n}`, request: '', result: null, ttlMs: 1000 },
    });
  await Promise.all(Array.from({ length: 50 }, (_, n) => store.enqueue(request(n))));
  now += 1000;
  await store.enqueue(request(50));
  for (const table of ['admissions', 'idempotency']) {
    expect(database.connection.prepare(`SELECT count(*) AS rows FROM ${table}`).get()).toEqual({ rows: 1 });
  }
  await store.close();
});

test('the usage of a busy day is read in parts, between which everybody else has a turn', async () => {
  const store = await openSqliteStore({ path: path() });
  onTestFinished(() => store.close());
  const lease = await opened(store);
  const many = 3_000;
  const at = (sequence: number) => start + Math.floor((dayMs * sequence) / many);
  const sequences = Array.from({ length: many }, (_, sequence) => sequence);
  const end = { status: 'completed', inputTokens: 1, outputTokens: 1, firstDeltaAt: null } as const;
  await store.commit(lease, {
    events: sequences.map((sequence) => turnStarted(sequence, { startedAt: at(sequence) })),
    endTurns: sequences.map((sequence) => ({ ...end, sequence, endedAt: at(sequence) })),
  });
  const agentIds = [String((await store.getSession('session_1'))?.agentId)];
  const all = vi.spyOn(StatementSync.prototype, 'all');
  const usage = await store.readUsage({ agentIds, from: start, before: start + dayMs });
  expect(usage.turns).toMatchObject([{ turns: many }]);
  const looksUp = all.mock.contexts.flatMap((statement, index) =>
    statement instanceof StatementSync && /FROM turns\s/.test(statement.sourceSQL)
      ? [all.mock.calls[index]!]
      : [],
  );
  const spans = looksUp.map((values) => {
    const times = values.filter((value) => typeof value === 'number' && value >= start).map(Number);
    return (Math.max(...times) - Math.min(...times)) / dayMs;
  });
  // A look into the index counts them first.
  expect(spans.filter((span) => span > 0.4)).toEqual([1]);
  expect(spans.length).toBeGreaterThan(3);
});

test('a closed store rejects writes', async () => {
  const store = await openSqliteStore({ path: path() });
  const last = store.enqueue(enqueueRequest());
  await store.close();
  expect(await last).toMatchObject({ outcome: 'accepted' });
  await expect(store.enqueue(enqueueRequest())).rejects.toThrow(StoreUnavailableError);
  await store.close();
});
