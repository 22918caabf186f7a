import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../../../testing/test-service.ts';
import { seed } from '../../contract/settings.ts';
import { nodeSqliteDialect } from '../kysely-dialect.ts';
import { openSqliteStore } from '../sqlite-store.ts';
import { up } from './0045-forgotten-parts.ts';

test('a page that may have lost its further parts is read in full the next time, and no other', async () => {
  const path = join(testFolder(), 'earlier.db');
  const store = await openSqliteStore({ path });
  await seed(store);
  const page = { sourceId: 'source_1', agentId: 'agent_1', address: null, language: null, reading: 1 };
  for (const [place, passages] of Object.entries({ short: 19, long: 20 }))
    await store.knowledge.savePage({
      ...page,
      place,
      title: place,
      version: '"v1"',
      passages: Array.from({ length: passages }, () => ({ title: place, text: 'Text', terms: ['text'] })),
    });
  await store.close();
  const connection = new DatabaseSync(path);
  onTestFinished(() => connection.close());
  await up(new Kysely<unknown>({ dialect: nodeSqliteDialect(connection) }));
  expect(connection.prepare('SELECT place, version FROM pages ORDER BY place').all()).toEqual([
    { place: 'long', version: null },
    { place: 'short', version: '"v1"' },
  ]);
});
