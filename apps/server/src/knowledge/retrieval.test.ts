import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import type { Store } from '../store/store.ts';
import { openPostgresStore } from '../store/postgres/postgres-store.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { createTestDatabase } from '../testing/test-database.ts';
import { testFolder } from '../testing/test-service.ts';
import { type Document, indexDocument } from './index-document.ts';
import { KnowledgeSearch } from './search-knowledge.ts';

const fixtures = join(import.meta.dirname, 'fixtures');
const leastRecall = 0.85;
const maxApart = 0.02;
const shown = 5;

/** The documentation of the AI SDK, as its package has it. */
function sdkPages(): Map<string, string> {
  const folder = join(dirname(fileURLToPath(import.meta.resolve('ai'))), '../docs');
  const pages = globSync('**/*.mdx', { cwd: folder }).map((file) => {
    const [, matter = '', text = ''] =
      /^---\n([^]*?)\n---\n([^]*)$/.exec(readFileSync(join(folder, file), 'utf8')) ?? [];
    const title = /^title: (.*)$/m.exec(matter)?.[1] ?? file;
    return [file, `# ${title}\n\n${text}`] as const;
  });
  return new Map(pages);
}

/** The pages of a fixture: the help of each node of Node-RED, or the documentation of Nitro. */
function packedPages(name: string): Map<string, string> {
  const packed = readFileSync(join(fixtures, `${name}.json.gz`));
  return new Map(Object.entries(JSON.parse(gunzipSync(packed).toString()) as Record<string, string>));
}

const contains = (place: string, name: string) => place.includes(name);
const equals = (place: string, name: string) => place === name;
const sets = [
  { name: 'en', language: 'en', pages: sdkPages(), isPage: contains },
  { name: 'nitro', language: 'en', pages: packedPages('nitro-en'), isPage: contains },
  { name: 'de', language: 'de', pages: packedPages('node-red-de'), isPage: equals },
  { name: 'ja', language: 'ja', pages: packedPages('node-red-ja'), isPage: equals },
];

const createdAt = '2026-01-01T00:00:00.000Z';

async function fill(store: Store): Promise<void> {
  const { tenants, agents, sources } = store.settings;
  await tenants.insert({ id: 'tenant', name: 'Firm', createdAt });
  for (const { name, language, pages } of sets) {
    const agent = {
      id: name,
      tenantId: 'tenant',
      name: 'Ada',
      active: true,
      config: {},
      credentials: null,
      revision: 1,
    };
    await agents.insert({ ...agent, createdAt });
    const source = {
      id: `of ${name}`,
      agentId: name,
      tenantId: 'tenant',
      name: 'Docs',
      kind: 'text',
    };
    await sources.insert({ ...source, config: {}, reading: {}, unreadPages: null, createdAt });
    const documents = [...pages].map(([place, text]): Document => {
      const title = /^# (.*)/.exec(text)?.[1] ?? place;
      return { place, title, address: place, language, version: null, text };
    });
    for (let start = 0; start < documents.length; start += 16)
      await Promise.all(
        documents
          .slice(start, start + 16)
          .map((document) =>
            indexDocument(store.knowledge, { sourceId: `of ${name}`, agentId: name, reading: 1 }, document),
          ),
      );
  }
}

/** The share of the questions whose page is among the first passages, and the questions that missed it. */
async function recall(store: Store, { name: agentId, isPage, pages }: (typeof sets)[number]) {
  const lines = readFileSync(join(fixtures, `questions-${agentId}.txt`), 'utf8')
    .trimEnd()
    .split('\n');
  const missed: string[] = [];
  for (const line of lines) {
    const [names = '', query = ''] = line.split('\t');
    const right = names.split('|');
    for (const name of right)
      expect(
        [...pages.keys()].some((place) => isPage(place, name)),
        name,
      ).toBe(true);
    const found = await new KnowledgeSearch(store.knowledge).find({ agentId, query, limit: shown });
    if (!found.some(({ address }) => right.some((name) => isPage(address ?? '', name)))) missed.push(line);
  }
  return { share: 1 - missed.length / lines.length, count: lines.length, missed };
}

test('full text alone finds the right page, of every documentation and with either engine alike', async () => {
  const sqlite = await openSqliteStore({ path: join(testFolder(), 'knowledge.db') });
  onTestFinished(() => sqlite.close());
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const postgres = await openPostgresStore({ url: database.url });
  onTestFinished(() => postgres.close());
  await fill(sqlite);
  await fill(postgres);
  let questions = 0;
  for (const set of sets) {
    const [one, other] = [await recall(sqlite, set), await recall(postgres, set)];
    questions += one.count;
    expect(one.share, `${set.name}: ${one.missed.join('; ')}`).toBeGreaterThanOrEqual(leastRecall);
    expect(other.share, `${set.name}: ${other.missed.join('; ')}`).toBeGreaterThanOrEqual(leastRecall);
    expect(Math.abs(one.share - other.share)).toBeLessThanOrEqual(maxApart);
  }
  expect(questions).toBeGreaterThanOrEqual(200);
});
