import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testFolder } from '../../testing/test-service.ts';
import { openDatabase } from './database.ts';
import { groupCommit } from './group-commit.ts';
import { maxPrepared, sqliteQueryEngine } from './query-engine.ts';

test('so many statements are kept, and others work all the same', async () => {
  const database = await openDatabase(join(testFolder(), 'test.db'));
  const commits = groupCommit(database.connection, {
    onFailure() {},
    onHeld() {},
    onSlow() {},
    onLost() {},
  });
  onTestFinished(() => database.connection.close());
  const { read, queries } = sqliteQueryEngine(database, commits, Date.now);
  const ask = async (n: number) => {
    expect(await read(sql`SELECT ${sql.lit(n)} AS n`.compile(queries))).toEqual([{ n }]);
  };
  for (let n = 0; n < maxPrepared; n += 1) await ask(n);
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
  onTestFinished(() => prepare.mockRestore());
  await ask(0);
  await ask(maxPrepared - 1);
  expect(prepare).not.toHaveBeenCalled();
  for (let times = 0; times < 2; times += 1) await ask(maxPrepared);
  expect(prepare).toHaveBeenCalledTimes(2);
});
