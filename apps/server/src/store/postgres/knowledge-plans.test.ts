import pg from 'pg';
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
  const scans = `SELECT relname, seq_scan::integer AS scans FROM pg_stat_user_tables WHERE relname IN ('passages', 'digested_passages') ORDER BY 1`;
  expect(await database.execute(scans)).toEqual([
    { relname: 'digested_passages', scans: 0 },
    { relname: 'passages', scans: 0 },
  ]);
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

test('what a version before has saved is counted all the same, and gets its digests', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const store = await openPostgresStore({ url: database.url });
  await indexPages(store);
  const digests =
    'SELECT passage::integer, page::integer, agent_id, digest FROM digested_passages ORDER BY passage';
  const saved = await database.execute(digests);
  const terms = ['word3x7', 'word3', 'page'].map((term) => ({ term, weight: 1, leads: true }));
  const find = () => store.knowledge.findPassages('agent_1', terms, 100);
  const found = await find();
  expect(found.length).toBeGreaterThan(pages);
  const [best] = found;
  expect(best).toMatchObject({ length: expect.any(Number) as number, counts: [1, 0, expect.any(Number)] });
  await database.execute('DELETE FROM digested_passages');
  // As if it were of another agent with the same mark.
  await database.execute(`UPDATE pages SET agent_id = 'agent_of_one_mark'`);
  expect(await find()).toEqual([]);
  await database.execute(`UPDATE pages SET agent_id = 'agent_1'`);
  expect(await find()).toEqual(found);
  await expect.poll(() => database.execute(digests)).toEqual(saved);
  expect(await find()).toEqual(found);
  // Somebody is removing one of them.
  const [first] = found;
  await database.execute('DELETE FROM digested_passages');
  const remover = new pg.Client({ connectionString: database.url });
  await remover.connect();
  await remover.query('BEGIN');
  await remover.query('DELETE FROM passages WHERE key = $1', [first?.key]);
  expect(await find()).toEqual(found);
  // Saved without that one, which nobody waits for.
  const written = 'SELECT count(*)::integer AS digests FROM digested_passages';
  await expect.poll(() => database.execute(written)).toEqual([{ digests: saved.length - 1 }]);
  await remover.query('COMMIT');
  await remover.end();
  const others = saved.filter(({ passage }) => passage !== first?.key);
  await expect.poll(() => database.execute(digests)).toEqual(others);
  // Nothing can be written.
  await database.execute('DELETE FROM digested_passages');
  await database.execute('ALTER TABLE digested_passages ADD CONSTRAINT nothing CHECK (false)');
  expect(await find()).toEqual(found.filter(({ key }) => key !== first?.key));
  await store.close();
});
