import { expect, onTestFinished, test, vi } from 'vitest';
import { createLogger } from '../logger.ts';
import { seed } from '../store/contract/settings.ts';
import type { KnowledgeStore } from '../store/knowledge-store.ts';
import type { SourceRecord } from '../store/settings-store.ts';
import type { Store } from '../store/store.ts';
import { testStore } from '../testing/test-store.ts';
import { Knowledge } from './knowledge.ts';

async function stored(): Promise<Store> {
  const store = await (await testStore()).open();
  onTestFinished(() => store.close());
  await seed(store);
  return store;
}

/** What one process knows; `instead` stands in for the store's. */
function knowledgeOf(
  { knowledge: store, settings }: Store,
  instead: Partial<Pick<KnowledgeStore, 'savePage'>> = {},
): Knowledge {
  const knowledge = new Knowledge({
    store: { ...store, ...instead },
    sources: settings.sources,
    bus: { publish: () => undefined },
    egress: { request: () => Promise.reject(new Error('Nothing is called here.')) },
    logger: createLogger('silent'),
  });
  onTestFinished(() => knowledge.close());
  return knowledge;
}

const says = async ({ settings }: Store, config: object): Promise<SourceRecord> =>
  (await settings.sources.update('source_1', { config }))!;
const text = (...parts: string[]) => ({ kind: 'text', text: parts.join('\n\n') });
/** Enough for several parts. */
const many = (word: string) =>
  Array.from({ length: 60 }, (_, part) => `# ${part}\n\nThe ${word} of ${part}.`);

test('what was changed and read by another process, while this one read what was there before, is what is found', async () => {
  const store = await stored();
  const meanwhile = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const one = knowledgeOf(store, {
    async savePage(page) {
      begun.resolve();
      await meanwhile.promise;
      return store.knowledge.savePage(page);
    },
  });
  const other = knowledgeOf(store);
  const reading = one.read(await says(store, text(...many('price'))));
  await begun.promise;
  await other.read(await says(store, text('The tariff is ten.')));
  meanwhile.resolve();
  await reading;
  const find = (query: string) => other.search({ agentId: 'agent_1', query, limit: 5 });
  expect(await find('price')).toEqual([]);
  expect(await find('tariff')).toHaveLength(1);
  expect((await store.settings.sources.get('source_1'))?.reading).toMatchObject({ passages: 1 });
});

test('what is struck out is gone, also where the clock was set back or that of another process is ahead', async () => {
  const store = await stored();
  const knowledge = knowledgeOf(store);
  const faq = (...questions: string[]) => ({
    kind: 'faq',
    entries: questions.map((question) => ({ question, answer: `About the ${question}.` })),
  });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-01T12:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  await knowledge.read(await says(store, faq('price', 'tariff', 'fee')));
  vi.setSystemTime(Date.parse('2026-03-01T11:59:58Z'));
  await knowledge.read(await says(store, faq('price', 'tariff')));
  // In the same millisecond.
  await knowledge.read(await says(store, faq('price')));
  const find = async (query: string) =>
    (await knowledge.search({ agentId: 'agent_1', query, limit: 5 })).length;
  expect([await find('price'), await find('tariff'), await find('fee')]).toEqual([1, 0, 0]);
  expect((await store.settings.sources.get('source_1'))?.reading).toMatchObject({
    readAt: '2026-03-01T11:59:58.000Z',
  });
});

test('readings of a source that are asked for at once are made one after the other', async () => {
  const store = await stored();
  const words = ['price', 'tariff', 'fee'];
  const saved: (string | undefined)[] = [];
  const knowledge = knowledgeOf(store, {
    savePage(page) {
      saved.push(words.find((word) => page.passages[0]?.text.includes(word)));
      return store.knowledge.savePage(page);
    },
  });
  const readings: Promise<void>[] = [];
  for (const word of words) readings.push(knowledge.read(await says(store, text(...many(word)))));
  await Promise.all(readings);
  const turns = saved.filter((word, index) => word !== saved[index - 1]);
  expect(turns).toEqual([...new Set(turns)]);
  const found = await Promise.all(
    words.map(async (query) => (await knowledge.search({ agentId: 'agent_1', query, limit: 1 })).length),
  );
  expect(found).toEqual([0, 0, 1]);
});
