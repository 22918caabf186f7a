import { randomBytes } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { createTestDatabase } from '../../testing/test-database.ts';
import { tcpProxy } from '../../testing/tcp-proxy.ts';
import { exitCode, startProblem } from '../../start-problem.ts';
import type { Clock } from '../clock.ts';
import { describeStore } from '../contract.ts';
import {
  askedInWhatEnded,
  delta,
  endWhileAsked,
  enqueueRequest,
  leaseMs,
  logOf,
  opened,
  texts,
} from '../contract/samples.ts';
import { StoreUnavailableError } from '../store-error.ts';
import type { Store } from '../store.ts';
import type { Tables } from '../tables.ts';
import type { Database } from './database.ts';
import { migrations } from './migrate.ts';
import { openPostgresStore } from './postgres-store.ts';
import { prepareQueue } from './queue.ts';

const database = await createTestDatabase();
let clock: Clock = Date.now;
const stores = await Promise.all(
  [1, 2].map(() => openPostgresStore({ url: database.url, clock: () => clock() })),
);
afterAll(async () => {
  for (const store of stores) await store.close();
  await database.drop();
});

// Emptied for each test: a database of its own takes half a second.
describeStore('postgres', async (testClock) => {
  clock = testClock;
  await database.empty();
  return { stores: [stores[0]!, stores[1]!], close: async () => undefined };
});

/** A store of its own in the shared database, emptied, by the server's clock. */
async function emptyStore(url = database.url): Promise<Store> {
  await database.empty();
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  return store;
}

const endConnections = () =>
  database.execute(`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'parley'`);

test('many processes may start at once in an empty database, and the schema is made once', async () => {
  const fresh = await createTestDatabase({ migrated: false });
  onTestFinished(() => fresh.drop());
  const opening = await Promise.all(Array.from({ length: 5 }, () => openPostgresStore({ url: fresh.url })));
  await Promise.all(
    opening.map((store, n) => store.enqueue(enqueueRequest({ item: { id: `item_${n}`, body: n } }))),
  );
  expect(await opening[0]!.listQueue('session_1')).toHaveLength(5);
  for (const store of opening) await store.close();
  const applied = await fresh.execute('SELECT name FROM kysely_migration');
  expect(applied).toContainEqual({ name: '0001-initial' });
  expect(new Set(applied.map(({ name }) => name)).size).toBe(applied.length);
});

test('a database of a newer version is rejected, and says so', async () => {
  const fresh = await createTestDatabase();
  onTestFinished(() => fresh.drop());
  await (await openPostgresStore({ url: fresh.url })).close();
  await fresh.execute(`INSERT INTO kysely_migration VALUES ('9999-later', '2030-01-01')`);
  await expect(openPostgresStore({ url: fresh.url })).rejects.toThrow(/newer version.*9999-later/);
});

/** A database whose next migration waits for a table that a backup reads. */
async function readByBackup() {
  const fresh = await createTestDatabase({ migrated: false });
  onTestFinished(() => fresh.drop());
  const pool = new pg.Pool({ connectionString: fresh.url });
  const queries = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  // The next one adds columns to contacts.
  const before = Object.fromEntries(
    Object.entries(migrations).filter(([name]) => name < '0036-contact-erasures'),
  );
  await new Migrator({ db: queries, provider: { getMigrations: async () => before } }).migrateToLatest();
  await queries.destroy();

  const backup = new pg.Client({ connectionString: fresh.url });
  await backup.connect();
  await backup.query('BEGIN; LOCK TABLE contacts IN ACCESS SHARE MODE');
  return { fresh, backup };
}

test('a migration that waits for a table which a backup reads holds up nobody else for long', async () => {
  const { fresh, backup } = await readByBackup();
  const opening = openPostgresStore({ url: fresh.url });
  onTestFinished(async () => {
    await backup.end();
    await (await opening).close();
  });
  const waiting = `
    SELECT FROM pg_locks
    WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND NOT granted AND relation = 'contacts'::regclass`;
  // It gives up and tries again, and whoever reads meanwhile waits for one try at most.
  for (let tries = 0; tries < 2; tries += 1) {
    await expect.poll(() => fresh.execute(waiting), { interval: 10 }).toHaveLength(1);
    await fresh.execute(`SET statement_timeout = '3s'; SELECT FROM contacts`);
  }
  await backup.query('COMMIT');
  await (await opening).ping();
  expect(await fresh.execute('SELECT FROM kysely_migration')).toHaveLength(Object.keys(migrations).length);
});

test('a migration that a backup has held up for too long is nothing to report, and tried by the next start', async () => {
  const { fresh, backup } = await readByBackup();
  onTestFinished(() => backup.end());
  let minutes = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => 61_000 * minutes++);
  const failure = await openPostgresStore({ url: fresh.url }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StoreUnavailableError);
  expect(startProblem(failure)).toMatch(/^DATABASE_URL: .*lock timeout/);
  expect(exitCode(failure)).toBe(1);
});

test('a connection that is lost during a migration ends the start, and nothing else', async () => {
  const fresh = await createTestDatabase({ migrated: false });
  onTestFinished(() => fresh.drop());
  const { promise: uncaught, resolve } = Promise.withResolvers<unknown>();
  process.setUncaughtExceptionCaptureCallback(resolve);
  onTestFinished(() => process.setUncaughtExceptionCaptureCallback(null));
  const holder = new pg.Client({ connectionString: fresh.url });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('CREATE TABLE kysely_migration_lock (id varchar(255) PRIMARY KEY, is_locked integer)');
  await holder.query("BEGIN; INSERT INTO kysely_migration_lock VALUES ('migration_lock', 0)");
  const opening = openPostgresStore({ url: fresh.url }).catch((error: unknown) => error);
  const end = () =>
    fresh.execute(`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`);
  await expect.poll(end, { interval: 10 }).toHaveLength(1);
  const failure = await Promise.race([uncaught, opening]);
  // No version before would have done better, and nobody has to report it.
  expect(failure).toBeInstanceOf(StoreUnavailableError);
  expect(startProblem(failure)).toMatch(/^DATABASE_URL: .*terminat/);
});

test('a user who may make no tables is named, and what its operator does about it', async () => {
  const fresh = await createTestDatabase({ migrated: false });
  const user = `user_${randomBytes(8).toString('hex')}`;
  await fresh.execute(`CREATE ROLE ${user} LOGIN PASSWORD 'none'`);
  onTestFinished(async () => {
    await fresh.drop();
    await database.execute(`DROP ROLE ${user}`);
  });
  const { href: url } = Object.assign(new URL(fresh.url), { username: user, password: 'none' });
  const refused = await openPostgresStore({ url }).catch((error: unknown) => error);
  expect(startProblem(refused)).toMatch(/^DATABASE_URL: .*owner of the database\. \(permission denied/);
});

/** A database as it was before the last three migrations, with one conversation that was held when it ended and one that is open. */
async function beforeEndedThreads() {
  const fresh = await createTestDatabase();
  onTestFinished(() => fresh.drop());
  const store = await openPostgresStore({ url: fresh.url });
  for (const id of ['open', 'ended'])
    await store.commit(await opened(store, id), {
      events: [],
      thread: { holder: { id: 'member_1', name: 'Grace' }, isWaiting: true },
    });
  await store.close();
  await fresh.execute(`
    UPDATE sessions SET status = 'completed' WHERE id = 'ended';
    DELETE FROM kysely_migration WHERE name >= '0042';
    DROP INDEX threads_of_holder;
    ALTER TABLE sources DROP COLUMN unread_pages`);
  return {
    fresh,
    holders: () =>
      fresh.execute('SELECT id, holder_id AS holder FROM threads JOIN sessions ON key = session ORDER BY id'),
  };
}
const holdersThen = [
  { id: 'ended', holder: null },
  { id: 'open', holder: 'member_1' },
];

test('conversations are changed while a migration goes through those that have ended', async () => {
  const { fresh, holders } = await beforeEndedThreads();
  await fresh.execute(`
    CREATE FUNCTION reject_locked() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (
        SELECT FROM pg_locks
        WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND granted AND relation = 'threads'::regclass AND mode = 'ShareLock'
      ) THEN
        RAISE 'nobody else can write threads meanwhile';
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER reject_locked BEFORE UPDATE ON threads FOR EACH ROW EXECUTE FUNCTION reject_locked()`);
  await (await openPostgresStore({ url: fresh.url })).close();
  expect(await holders()).toEqual(holdersThen);
});

test('a migration that waits for whoever waits for it is tried again', async () => {
  const { fresh, holders } = await beforeEndedThreads();
  const write = (id: string) =>
    `UPDATE threads SET changed_at = 1 WHERE session = (SELECT key FROM sessions WHERE id = '${id}')`;
  const writer = new pg.Client({ connectionString: fresh.url });
  await writer.connect();
  await writer.query(`BEGIN; SET LOCAL deadlock_timeout = '1min'; ${write('open')}`);
  const opening = openPostgresStore({ url: fresh.url });
  onTestFinished(async () => {
    await writer.end();
    await (await opening).close();
  });
  const waiting = `
    SELECT FROM pg_locks
    WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND NOT granted AND relation = 'threads'::regclass`;
  await expect.poll(() => fresh.execute(waiting), { interval: 10 }).toHaveLength(1);
  // The migration has changed this row before it waited for the table.
  await writer.query(write('ended'));
  await writer.query('COMMIT');
  await (await opening).ping();
  expect(await holders()).toEqual(holdersThen);
});

test('what waits of a kind is found without reading what waits before it', async () => {
  const large = { kind: 'message', text: randomBytes(1_024 * 1_024).toString('base64') };
  const store = await emptyStore();
  for (const [id, body] of Object.entries({ large, whisper: { kind: 'whisper' } }))
    await store.enqueue(enqueueRequest({ item: { id, body } }));
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  // In one transaction, of which the server says what it has read.
  await client.query('BEGIN');
  const { listQueue, nextItem } = prepareQueue({
    query: async (statement, values) => (await client.query(statement, [...values])).rows,
  } as Partial<Database> as Database);
  expect(await listQueue('session_1', 'whisper')).toMatchObject([{ id: 'whisper' }]);
  expect(await nextItem('session_1', ['whisper'])).toMatchObject({ id: 'whisper' });
  const { rows } = await client.query(`
    SELECT pg_stat_get_xact_blocks_fetched(reltoastrelid)::integer AS read FROM pg_class WHERE oid = 'queue'::regclass`);
  expect(rows[0].read).toBeLessThan(20);
});

test('what ends asks nobody any more', async () => {
  const store = await emptyStore();
  await endWhileAsked(store, 'member_1');
  expect(await database.execute(askedInWhatEnded)).toEqual([{ ended: 2, asked: 0, delegates: 0 }]);
});

test('leases run by the clock of the server, whatever a process believes', async () => {
  const store = await emptyStore();
  const before = Date.now();
  await opened(store);
  const session = await store.getSession('session_1');
  expect(Math.abs(session!.createdAt - before)).toBeLessThan(60_000);
  expect(await store.acquireLease('session_1', { owner: 'other', leaseMs })).toBeNull();
});

test('when connections are lost writes fail whole, nothing acknowledged is, and the next writes succeed', async () => {
  const store = await emptyStore();
  const lease = await opened(store);
  const acknowledged: string[] = [];
  let failures = 0;
  let over = false;
  const writing = (async () => {
    for (let n = 0; !over; n++) {
      try {
        await store.commit(lease, { events: [delta(`${n}`)], ...(n % 2 === 0 && { state: n }) });
        acknowledged.push(`${n}`);
      } catch (error) {
        expect(error).toBeInstanceOf(StoreUnavailableError);
        failures += 1;
      }
    }
  })();
  for (let round = 0; round < 5; round++) {
    const before = acknowledged.length;
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 5);
    await endConnections();
  }
  const before = acknowledged.length;
  await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 5);
  over = true;
  await writing;
  const log = await logOf(store, 'session_1');
  expect(log.map(({ index }) => index)).toEqual(log.map((_, index) => index));
  const kept = texts(log);
  expect(kept).toEqual(expect.arrayContaining(acknowledged));
  expect(new Set(kept).size).toBe(kept.length);
  // A write whose answer was lost may have been made; no other is in the log.
  expect(kept.length - acknowledged.length).toBeLessThanOrEqual(failures);
});

test('a database that became read-only still reads, says so, and recovers', async () => {
  const store = await emptyStore();
  await opened(store);
  const name = new URL(database.url).pathname.slice(1);
  const readOnly = (value: 'on' | 'off') =>
    database.execute(
      `BEGIN READ WRITE; ALTER DATABASE ${name} SET default_transaction_read_only = ${value}; COMMIT`,
    );
  await readOnly('on');
  onTestFinished(async () => void (await readOnly('off')));
  await endConnections();
  await expect
    .poll(() => store.ping().catch((error: unknown) => error))
    .toBeInstanceOf(StoreUnavailableError);
  await expect(store.enqueue(enqueueRequest())).rejects.toThrow(StoreUnavailableError);
  expect(await store.listQueue('session_1')).toHaveLength(1);
  await readOnly('off');
  await endConnections();
  await expect.poll(() => store.ping().catch((error: unknown) => error)).toBeUndefined();
  expect(await store.enqueue(enqueueRequest())).toMatchObject({ outcome: 'accepted' });
});

test('a lease that a process was given without hearing of it is given up, so that somebody runs the session', async () => {
  const proxy = await tcpProxy(database.url);
  const cut = await emptyStore(proxy.url);
  const other = await openPostgresStore({ url: database.url });
  onTestFinished(() => other.close());
  // Every statement is prepared, so that the next packet makes it.
  await cut.enqueue(enqueueRequest({ sessionId: 'before' }));
  proxy.loseNextAnswer();
  await expect(cut.enqueue(enqueueRequest({ lease: { owner: 'cut', leaseMs: 60_000 } }))).rejects.toThrow(
    StoreUnavailableError,
  );
  await expect.poll(() => other.listQueue('session_1')).toHaveLength(1);
  const others = { owner: 'other', leaseMs };
  expect(await other.acquireLease('session_1', others)).toBeNull();
  await cut.renewLeases({ owner: 'cut', leaseMs: 60_000 });
  expect(await cut.listRunnable({ owner: 'cut', limit: 9 })).toContain('session_1');
  expect(await other.acquireLease('session_1', others)).not.toBeNull();
});

test('so is one of a turn that was cut off, with nothing in the queue', async () => {
  const proxy = await tcpProxy(database.url);
  const cut = await emptyStore(proxy.url);
  const other = await openPostgresStore({ url: database.url });
  onTestFinished(() => other.close());
  const opening = await other.enqueue(enqueueRequest({ lease: { owner: 'dead', leaseMs: 1 } }));
  if (opening.outcome !== 'accepted' || !opening.leased) throw new Error('not accepted');
  const { lease, item } = opening.leased;
  await other.commit(lease, { events: [delta('cut')], consume: [item.position] });
  const mine = { owner: 'cut', leaseMs: 60_000 };
  // Every statement is prepared, so that the next packet makes it.
  await cut.acquireLease('unknown', mine);
  await expect.poll(() => cut.listRunnable({ owner: 'cut', limit: 9 })).toContain('session_1');
  proxy.loseNextAnswer();
  await expect(cut.acquireLease('session_1', mine)).rejects.toThrow(StoreUnavailableError);
  await expect.poll(() => other.acquireLease('session_1', { owner: 'other', leaseMs })).toBeNull();
  await cut.renewLeases(mine);
  expect(await other.listRunnable({ owner: 'other', limit: 9 })).toContain('session_1');
  expect(await cut.listRunnable({ owner: 'cut', limit: 9 })).toContain('session_1');
});

test('writes of many sessions at once and the renewal of their leases never wait for one another in a circle', async () => {
  const own = await createTestDatabase();
  onTestFinished(() => own.drop());
  // Of few sessions a planner reads all, in an order that is the same for everybody; of many it looks each up.
  const name = new URL(own.url).pathname.slice(1);
  for (const join of ['hashjoin', 'mergejoin'])
    await own.execute(`ALTER DATABASE ${name} SET enable_${join} = off`);
  const store = await openPostgresStore({ url: own.url });
  const leases = await Promise.all(Array.from({ length: 50 }, (_, n) => opened(store, `session_${n}`)));
  for (let round = 0; round < 40; round += 1) {
    const rotated = [...leases.slice(round), ...leases.slice(0, round)];
    const appends = [...rotated, ...rotated.toReversed()].map((lease) =>
      store.commit(lease, { events: [delta('a')] }),
    );
    await Promise.all([...appends, store.renewLeases({ owner: 'runner', leaseMs })]);
  }
  await store.close();
  // What a connection met is counted when it is gone at the latest.
  const open = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'parley'`;
  await expect.poll(() => own.execute(open)).toEqual([]);
  const found = await own.execute(
    'SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()',
  );
  expect(found).toEqual([{ deadlocks: 0 }]);
});

test('a server that is out of reach fails every call as unavailable', async () => {
  const proxy = await tcpProxy(database.url);
  const store = await emptyStore(proxy.url);
  proxy.cut();
  await expect(store.enqueue(enqueueRequest())).rejects.toThrow(StoreUnavailableError);
  await expect(store.getSession('session_1')).rejects.toThrow(StoreUnavailableError);
  await expect(store.ping()).rejects.toThrow(StoreUnavailableError);
});

test('however much is asked at once, a process holds ten connections at most', async () => {
  const store = await emptyStore();
  let most = 0;
  let over = false;
  const work = Promise.all(
    Array.from({ length: 300 }, (_, n) => store.enqueue(enqueueRequest({ sessionId: `session_${n}` }))),
  ).finally(() => (over = true));
  while (!over) {
    const [row] = await database.execute(`
      SELECT count(*) AS count FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'parley' AND query LIKE '%enqueue%'`);
    most = Math.max(most, Number(row?.['count']));
  }
  await work;
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(10);
});

test('what has expired is swept up by later requests', async () => {
  let now = Date.UTC(2026, 0, 1);
  await database.empty();
  const store = await openPostgresStore({ url: database.url, clock: () => now });
  onTestFinished(() => store.close());
  const request = (n: number) =>
    enqueueRequest({
      sessionId: `session_${n}`,
      rateLimits: [{ scope: `visitor ${n}`, limit: 1, windowMs: 1000 }],
      quotas: [{ scope: `visitor ${n}`, limit: 9, windowMs: 1000, amount: 1 }],
      idempotency: { scope: `request ${n}`, request: '', result: null, ttlMs: 1000 },
    });
  await Promise.all(Array.from({ length: 15 }, (_, n) => store.enqueue(request(n))));
  now += 1000;
  await store.enqueue(request(50));
  for (const table of ['admissions', 'idempotency', 'quotas']) {
    const [row] = await database.execute(`SELECT count(*)::integer AS rows FROM ${table}`);
    expect({ table, ...row }).toEqual({ table, rows: 1 });
  }
});

test('a closed store rejects everything once what was asked before is done', async () => {
  const store = await openPostgresStore({ url: database.url });
  const last = store.enqueue(enqueueRequest({ sessionId: 'the last one' }));
  await store.close();
  expect(await last).toMatchObject({ outcome: 'accepted' });
  await expect(store.enqueue(enqueueRequest())).rejects.toThrow(StoreUnavailableError);
  await store.close();
});
