import { expect, onTestFinished, test } from 'vitest';
import { indexDocument } from '../../knowledge/index-document.ts';
import { KnowledgeSearch } from '../../knowledge/search-knowledge.ts';
import { createTestDatabase } from '../../testing/test-database.ts';
import { seed } from '../contract/settings.ts';
import type { Store } from '../store.ts';
import { openPostgresStore } from './postgres-store.ts';

const pages = 24;
/** Plans are made for the values of the first five times, and from then on for any. */
const times = 8;

async function indexPages(store: Store): Promise<void> {
  await seed(store);
  for (let page = 0; page < pages; page += 1) {
    const words = Array.from({ length: 400 }, (_, word) => `word${page}x${word}`);
    await indexDocument(
      store.knowledge,
      { sourceId: 'source_1', agentId: 'agent_1', reading: 1 },
      {
        place: `page ${page}`,
        title: `Page ${page}`,
        address: null,
        language: 'en',
        version: null,
        text: words.join(' '),
      },
    );
  }
}

test('a question reads the passages that it finds, and no others, however few there are', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const store = await openPostgresStore({ url: database.url });
  await indexPages(store);
  const knowledge = new KnowledgeSearch(store.knowledge);
  for (let n = 0; n < times; n += 1) {
    const [found] = await knowledge.find({ agentId: 'agent_1', query: `word${n}x7`, limit: 1 });
    expect(found?.title).toBe(`Page ${n}`);
  }
  await store.close();
  // What a connection did is counted when it is gone at the latest.
  const open = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'parley'`;
  await expect.poll(() => database.execute(open)).toEqual([]);
  const scans = `SELECT seq_scan::integer AS scans FROM pg_stat_user_tables WHERE relname = 'passages'`;
  expect(await database.execute(scans)).toEqual([{ scans: 0 }]);
});

test('what waits to be sorted in is sorted in once a reading has ended', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const store = await openPostgresStore({ url: database.url });
  await indexPages(store);
  await store.knowledge.removePages('source_1', { reading: 1, limit: 100 });
  await store.close();
  const waiting = `SELECT gin_clean_pending_list('passage_terms')::integer AS pages`;
  expect(await database.execute(waiting)).toEqual([{ pages: 0 }]);
});
