import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StoreUnavailableError } from '../store-error.ts';
import { groupCommit, type GroupCommit } from './group-commit.ts';

const unheard = { onFailure() {}, onHeld() {}, onSlow() {}, onLost() {} };

let connection: DatabaseSync;
let commits: GroupCommit;
beforeEach(() => {
  // Nothing takes any time: on a busy machine fewer writes would be one transaction.
  vi.spyOn(performance, 'now').mockReturnValue(0);
  connection = new DatabaseSync(':memory:');
  connection.exec('CREATE TABLE words (word TEXT UNIQUE)');
  commits = groupCommit(connection, unheard);
});
afterEach(() => connection.close());

const insert = (word: string) => () => connection.prepare('INSERT INTO words VALUES (?)').run(word).changes;
const words = () =>
  connection
    .prepare('SELECT word FROM words')
    .all()
    .map(({ word }) => word);

function engineFailure(errcode: number): () => never {
  return () => {
    throw Object.assign(new Error('the disk'), { errcode });
  };
}

test('writes of one turn of the event loop are one transaction, in order of request', async () => {
  const before = await commits.write(() => connection.isTransaction);
  const seen: unknown[] = [];
  const writes = ['a', 'b', 'c'].map((word) =>
    commits.write(() => seen.push(words().concat(word), insert(word)())),
  );
  expect(words()).toEqual([]);
  await Promise.all(writes);
  expect(before).toBe(true);
  expect(seen).toEqual([['a'], 1, ['a', 'b'], 1, ['a', 'b', 'c'], 1]);
});

test('a statement that fails rejects its own write only', async () => {
  const writes = [commits.write(insert('a')), commits.write(insert('a')), commits.write(insert('b'))];
  const outcomes = await Promise.allSettled(writes);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(words()).toEqual(['a', 'b']);
});

test('a write that fails half way leaves nothing behind, and what stands beside it is kept', async () => {
  const halfWay = commits.write(() => {
    insert('b')();
    throw new Error('half way');
  });
  const writes = [commits.write(insert('a')), halfWay, commits.write(insert('c'))];
  const outcomes = await Promise.allSettled(writes);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(words()).toEqual(['a', 'c']);
});

test('a write that is alone and fails half way is rejected with its own error and leaves nothing behind', async () => {
  const halfWay = new Error('half way');
  const fail = () => {
    insert('a')();
    throw halfWay;
  };
  await expect(commits.write(fail)).rejects.toBe(halfWay);
  await expect(commits.erase(fail)).rejects.toBe(halfWay);
  expect(connection.isTransaction).toBe(false);
  expect(words()).toEqual([]);
  expect(await commits.write(insert('a'))).toBe(1);
});

test('when the engine fails in a write that is alone nothing of it is kept, and the next one may succeed', async () => {
  const full = commits.write(() => {
    insert('a')();
    engineFailure(13)();
  });
  await expect(full).rejects.toThrow(StoreUnavailableError);
  expect(words()).toEqual([]);
  expect(await commits.write(insert('a'))).toBe(1);
});

test('when the engine fails nothing of the transaction is kept, and the next one may succeed', async () => {
  const writes = [commits.write(insert('a')), commits.write(engineFailure(13)), commits.write(insert('b'))];
  for (const write of await Promise.allSettled(writes)) {
    expect(write).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailableError) });
  }
  expect(words()).toEqual([]);
  expect(await commits.write(insert('a'))).toBe(1);
});

/** A disk that writes when the test says so. */
function openSlowDisk() {
  const syncs: PromiseWithResolvers<void>[] = [];
  const onDisk = groupCommit(connection, unheard, {
    sync() {
      const sync = Promise.withResolvers<void>();
      syncs.push(sync);
      return sync.promise;
    },
    close() {},
  });
  return { commits: onDisk, syncs };
}

const immediate = () => new Promise(setImmediate);

test('a write is done once it is on disk, and those that came meanwhile are the next transaction', async () => {
  const { commits: slow, syncs } = openSlowDisk();
  const done: string[] = [];
  const write = (word: string) => slow.write(insert(word)).then(() => done.push(word));
  const first = write('a');
  await immediate();
  expect(words()).toEqual(['a']);
  const rest = [write('b')];
  await immediate();
  rest.push(write('c'));
  await immediate();
  expect(words()).toEqual(['a']);
  expect(done).toEqual([]);
  syncs[0]!.resolve();
  await first;
  expect(done).toEqual(['a']);
  await immediate();
  expect(words()).toEqual(['a', 'b', 'c']);
  expect(syncs).toHaveLength(2);
  syncs[1]!.resolve();
  await Promise.all(rest);
  expect(done).toEqual(['a', 'b', 'c']);
});

test('what is committed is told while it is on its way to the disk, and nothing else is', async () => {
  const { commits: slow, syncs } = openSlowDisk();
  const told: unknown[] = [];
  const tell = (result: unknown) => void told.push(result);
  expect(await slow.write(words, tell)).toEqual([]);
  const refused = slow.write(() => {
    throw new Error('refused');
  }, tell);
  const written = slow.write(() => [insert('a')(), 'a'], tell);
  await expect.poll(() => syncs.length).toBe(1);
  expect(told).toEqual([[1, 'a']]);
  syncs[0]!.resolve();
  await expect(refused).rejects.toThrow('refused');
  expect(await written).toEqual([1, 'a']);
  expect(told).toHaveLength(1);
});

test('what a statement sees is on disk once onDisk says so', async () => {
  const { commits: slow, syncs } = openSlowDisk();
  expect(await slow.onDisk('seen')).toBe('seen');
  const written = slow.write(insert('a'));
  await immediate();
  let isOnDisk = false;
  const onDisk = slow.onDisk(null).then(() => (isOnDisk = true));
  await immediate();
  expect(isOnDisk).toBe(false);
  syncs[0]!.resolve();
  await onDisk;
  await written;
});

test('what changed nothing has nothing to wait for', async () => {
  const { commits: slow, syncs } = openSlowDisk();
  expect(await slow.write(words)).toEqual([]);
  expect(syncs).toEqual([]);
});

test('writes that take long are few in one transaction, at least one, and all are made in their order', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const written: number[] = [];
  const writes = [4, 4, 4, 4, 4, 50, 50].map(async (ms, n) => {
    await commits.write(() => {
      now += ms;
      insert(String(n))();
    });
    written.push(words().length);
  });
  await Promise.all(writes);
  expect(words()).toEqual(['0', '1', '2', '3', '4', '5', '6']);
  // Each once those that share its transaction are written, too.
  expect(written).toEqual([3, 3, 3, 6, 6, 6, 7]);
});

test('of a hundred writes at once fifty are one transaction', async () => {
  const { commits: slow, syncs } = openSlowDisk();
  const writes = Array.from({ length: 100 }, (_, n) => slow.write(insert(String(n))));
  await immediate();
  expect(words()).toHaveLength(50);
  syncs[0]!.resolve();
  await writes[49];
  await immediate();
  expect(words()).toHaveLength(100);
  syncs[1]!.resolve();
  await Promise.all(writes);
});

test('a disk that takes its time is said', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let waits = 0;
    const sync = Promise.withResolvers<void>();
    const slow = groupCommit(
      connection,
      { ...unheard, onSlow: () => (waits += 1) },
      {
        sync: () => sync.promise,
        close() {},
      },
    );
    const written = slow.write(insert('a'));
    await immediate();
    vi.advanceTimersByTime(5_000);
    expect(waits).toBe(1);
    sync.resolve();
    await written;
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('when the disk fails, what was on its way and all that comes later is rejected', async () => {
  const { commits: slow, syncs } = openSlowDisk();
  const written = slow.write(insert('a'));
  await immediate();
  const waiting = slow.write(insert('b'));
  const onDisk = slow.onDisk(null);
  syncs[0]!.reject(new Error('EIO: i/o error, fdatasync'));
  for (const outcome of await Promise.allSettled([written, waiting, onDisk, slow.write(insert('c'))]))
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailableError) });
  await expect(slow.onDisk(null)).rejects.toThrow('EIO');
  expect(words()).toEqual(['a']);
});

test('a sync that fails while the store is opened is said, too', () => {
  const lost: string[] = [];
  const failing = { ...unheard, onLost: ({ message }: Error) => lost.push(message) };
  const folder = mkdtempSync(join(tmpdir(), 'parley-group-commit-'));
  const database = new DatabaseSync(join(folder, 'words.db'));
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE words (word TEXT)');
  const prepare = database.prepare.bind(database);
  vi.spyOn(database, 'prepare').mockImplementation((text) =>
    text.includes('wal_checkpoint') ? engineFailure(1034)() : prepare(text),
  );
  groupCommit(database, failing);
  expect(lost).toEqual(['The database cannot be written: the disk']);
  database.close();
  rmSync(folder, { recursive: true });
});

test('what may not be on the disk is never copied into the database', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-group-commit-'));
  const file = join(folder, 'words.db');
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE words (word TEXT)');
  const sync = () => Promise.reject(new Error('EIO: i/o error, fdatasync'));
  const failing = groupCommit(database, unheard, { sync, close() {} });
  const add = () => database.exec(`INSERT INTO words VALUES ('a')`);
  await expect(failing.write(add)).rejects.toThrow('EIO');
  expect(await failing.close()).toBe(false);
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
  database.close();
  rmSync(folder, { recursive: true });
});

test('what was requested before closing is written, and nothing later', async () => {
  const { commits: slow, syncs } = openSlowDisk();
  const first = slow.write(insert('a'));
  await immediate();
  const second = slow.write(insert('b'));
  const closed = slow.close();
  await expect(slow.write(insert('c'))).rejects.toThrow('The store is closed');
  syncs[0]!.resolve();
  await first;
  await immediate();
  syncs[1]!.resolve();
  await Promise.all([second, closed]);
  expect(words()).toEqual(['a', 'b']);
});

test('after a failed fsync every write is rejected', async () => {
  await expect(commits.write(engineFailure(1034))).rejects.toThrow(StoreUnavailableError);
  await expect(commits.write(insert('a'))).rejects.toThrow(StoreUnavailableError);
  expect(words()).toEqual([]);
});
