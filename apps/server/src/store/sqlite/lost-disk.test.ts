import fs, { mkdtempSync, rmSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { delta, logOf, opened } from '../contract/samples.ts';
import { openSqliteStore } from './sqlite-store.ts';

/** The disk under this file's own log; stores of other files that run in this process keep theirs. */
const disk = { syncs: 0, fails: false };
let folder = '';
const { fdatasync } = fs;
beforeAll(() => {
  fs.fdatasync = ((log, done) => {
    const own = statSync(join(folder, 'parley.db-wal'), { throwIfNoEntry: false });
    if (fs.fstatSync(log).ino !== own?.ino) return fdatasync(log, done);
    disk.syncs += 1;
    if (disk.fails) setImmediate(done, new Error('EIO: i/o error, fdatasync'));
    else fdatasync(log, done);
  }) as typeof fdatasync;
  syncBuiltinESMExports();
});
afterAll(() => {
  fs.fdatasync = fdatasync;
  syncBuiltinESMExports();
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-lost-disk-'));
  Object.assign(disk, { syncs: 0, fails: false });
});
afterEach(() => rmSync(folder, { recursive: true }));

test('every commit is brought to the disk', async () => {
  const store = await openSqliteStore({ path: join(folder, 'parley.db') });
  const lease = await opened(store);
  const before = disk.syncs;
  for (let round = 0; round < 3; round++) await store.commit(lease, { events: [delta(`${round}`)] });
  expect(disk.syncs - before).toBe(3);
  await store.close();
});

test('after a sync that failed nothing is written, nothing read, nothing copied, and it is said once', async () => {
  const file = join(folder, 'parley.db');
  const lost: string[] = [];
  const store = await openSqliteStore({ path: file, onLost: ({ message }) => lost.push(message) });
  const lease = await opened(store);
  await store.commit(lease, { events: [delta('kept')] });
  disk.fails = true;
  for (const asked of [
    () => store.commit(lease, { events: [delta('in doubt')] }),
    () => store.commit(lease, { events: [delta('refused')] }),
    () => store.readEvents('session_1', 0, 10),
    () => store.listInputRequests('session_1', 10, 10),
    () => store.getSession('session_1'),
    () => store.listSessionHeads(['session_1']),
    () => store.findConversation('agent_1', '', 'conversation_1'),
    () => store.settings.tenants.get('tenant_1'),
  ])
    await expect(asked()).rejects.toThrow('The database cannot be written: EIO');
  expect(lost).toEqual(['The database cannot be written: EIO: i/o error, fdatasync']);
  await store.close();
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
  disk.fails = false;
  const next = await openSqliteStore({ path: file });
  expect((await logOf(next, 'session_1'))[0]).toMatchObject({ event: { data: { messageDelta: 'kept' } } });
  await next.close();
});
