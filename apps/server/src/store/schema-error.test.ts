import { expect, test } from 'vitest';
import { startProblem } from '../start-problem.ts';
import { testStore } from '../testing/test-store.ts';

test('a schema that this version cannot bring up to its own is left as it is, and said in a sentence', async () => {
  const stored = await testStore();
  const problem = async () =>
    startProblem(
      await stored.open().then(
        (store) => store.close(),
        (error: unknown) => error,
      ),
    );
  await stored.sql(`INSERT INTO kysely_migration VALUES ('9999-later', '2030-01-01')`);
  expect(await problem()).toMatch(/written by a newer version of Parley.*9999-later.*restore a backup/);

  // What the first migration made is there without it.
  await stored.sql('DELETE FROM kysely_migration');
  expect(await problem()).toMatch(/^The schema of the database could not be brought up.*already exists/);
  expect(await stored.sql('SELECT name FROM kysely_migration')).toEqual([]);
});
