import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { indexDocument } from '../knowledge/index-document.ts';
import { KnowledgeSearch } from '../knowledge/search-knowledge.ts';
import { seed } from '../store/contract/settings.ts';
import { openPostgresStore } from '../store/postgres/postgres-store.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { startPostgresServer } from './postgres-server.ts';

// Run as a process of its own: prints what reading and searching 5,000 pages cost on each engine, a JSON object per line.
const pages = 5_000;
const atOnce = 4;
const searches = 500;
const vocabulary = 30_000;
const wordsPerPage = 600;

let state = 1;
/** The same numbers in every run. */
const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
/** As words of a language are said: the second half as often as the first, and so on. */
const word = () => `word${Math.floor(vocabulary ** random())}x`;
const words = (count: number) => Array.from({ length: count }, word).join(' ');
const text = () =>
  Array.from({ length: 4 }, () => `## ${words(3)}\n\n${words(wordsPerPage / 4)}.`).join('\n\n');

const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
const server = await startPostgresServer({ fsync: true });
await measure('sqlite', await openSqliteStore({ path: join(folder, 'bench.db') }));
await measure('postgres', await openPostgresStore({ url: server.url }));
await server.stop();
rmSync(folder, { recursive: true });
process.exit(0);

async function measure(engine: string, store: Store): Promise<void> {
  await seed(store);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let indexing = 0;
  for (let start = 0; start < pages; start += atOnce) {
    const documents = Array.from({ length: atOnce }, (_, index) => ({
      place: `page ${start + index}`,
      title: words(4),
      address: null,
      language: 'en',
      version: null,
      text: text(),
    }));
    delay.enable();
    const at = performance.now();
    await Promise.all(
      documents.map((document) =>
        indexDocument(store.knowledge, { sourceId: 'source_1', agentId: 'agent_1', reading: 1 }, document),
      ),
    );
    indexing += performance.now() - at;
    delay.disable();
  }
  const end = performance.now();
  // Nothing is older: it ends the reading, and is a part of it.
  await store.knowledge.removePages('source_1', { reading: 1, limit: 1 });
  indexing += performance.now() - end;
  const times: number[] = [];
  const knowledge = new KnowledgeSearch(store.knowledge);
  for (let search = 0; search < searches; search += 1) {
    const at = performance.now();
    await knowledge.find({ agentId: 'agent_1', query: words(6), limit: 6 });
    times.push(performance.now() - at);
  }
  const { passages } = await store.knowledge.countKnowledge('agent_1');
  const per1000 = (indexing / pages) * 1_000;
  console.log(JSON.stringify({ engine, passages, per1000, longestMs: delay.max / 1e6, times }));
  await store.close();
}
