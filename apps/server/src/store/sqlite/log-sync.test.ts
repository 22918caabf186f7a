import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogSync } from './log-sync.ts';

let folder: string;
let connection: DatabaseSync;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-log-sync-'));
  connection = new DatabaseSync(join(folder, 'words.db'));
  connection.exec('PRAGMA journal_mode = WAL; CREATE TABLE words (word TEXT)');
});
afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

const pragma = (name: string) => connection.prepare(`PRAGMA ${name}`).get()?.[name];

test('the engine leaves the log of a database in a file to it', async () => {
  expect(pragma('synchronous')).toBe(2);
  const log = createLogSync(connection);
  expect(pragma('synchronous')).toBe(1);
  connection.exec(`INSERT INTO words VALUES ('a')`);
  await log.sync();
  await log.sync();
  log.close();
  log.close();
});

test('a log that cannot be opened is an error, and the engine goes on to sync', () => {
  renameSync(join(folder, 'words.db-wal'), join(folder, 'elsewhere'));
  expect(() => createLogSync(connection)).toThrow('ENOENT');
  expect(pragma('synchronous')).toBe(2);
  renameSync(join(folder, 'elsewhere'), join(folder, 'words.db-wal'));
});

test('where there is no log the engine goes on to sync', async () => {
  expect(connection.prepare('PRAGMA journal_mode = DELETE').get()).toEqual({ journal_mode: 'delete' });
  const log = createLogSync(connection);
  expect(pragma('synchronous')).toBe(2);
  await log.sync();
  log.close();
});

test('a database in memory has nothing to bring to a disk', async () => {
  const memory = new DatabaseSync(':memory:');
  const log = createLogSync(memory);
  await log.sync();
  log.close();
  memory.close();
});
