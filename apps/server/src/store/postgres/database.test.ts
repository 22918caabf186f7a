import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../testing/test-database.ts';
import { maxPrepared, openDatabase } from './database.ts';

test('a connection keeps so many statements, and others work all the same', async () => {
  const server = await createTestDatabase();
  onTestFinished(() => server.drop());
  const database = openDatabase(server.url, null);
  onTestFinished(() => database.close());
  for (let n = 0; n < maxPrepared + 50; n += 1)
    expect(await database.query(`SELECT ${n} AS n`, [])).toEqual([{ n }]);
  const kept = await database.query('SELECT count(*)::integer AS statements FROM pg_prepared_statements', []);
  expect(kept).toEqual([{ statements: maxPrepared }]);
});
