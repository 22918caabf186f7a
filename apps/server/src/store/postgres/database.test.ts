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

test('rows are read on after a later version has added a column, on every connection', async () => {
  const server = await createTestDatabase();
  onTestFinished(() => server.drop());
  const database = openDatabase(server.url, null);
  onTestFinished(() => database.close());
  await database.query('CREATE TABLE birds (name text)', []);
  await database.query(`INSERT INTO birds VALUES ('heron')`, []);
  // At once, so that each is on a connection of its own.
  const onAll = (text: string) => Promise.all(Array.from({ length: 20 }, () => database.query(text, [])));
  const readAll = () => onAll('SELECT * FROM birds');
  const names = async () => {
    const found = await onAll(
      `SELECT name FROM pg_prepared_statements WHERE statement = 'SELECT * FROM birds'`,
    );
    return new Set(found.flat().map(({ name }) => name));
  };
  for (const rows of await readAll()) expect(rows).toEqual([{ name: 'heron' }]);
  const [before] = await names();
  await server.execute('ALTER TABLE birds ADD COLUMN colour text');
  for (let round = 0; round < 3; round += 1)
    for (const rows of await readAll()) expect(rows).toEqual([{ name: 'heron', colour: null }]);
  // Under another name: under the one before its connections have what is outdated.
  expect([...(await names())].some((name) => name !== before)).toBe(true);
});
