import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { embedderOf } from '../embedder-of.ts';
import { createLogger } from '../logger.ts';
import type { Agent } from '../settings/agent.ts';
import { seed } from '../store/contract/settings.ts';
import type { Store } from '../store/store.ts';
import { testStore } from '../testing/test-store.ts';
import { fuseRanks } from './fuse-ranks.ts';
import { Knowledge } from './knowledge.ts';
import { termsOf } from './terms.ts';

const agent1 = { id: 'agent_1', tenantId: 'tenant_1', sourceId: 'source_1' };
const agent2 = { id: 'agent_2', tenantId: 'tenant_2', sourceId: 'source_2' };

/** What a text is about, as the model of this provider sees it. */
const subjects = [/cat|kitten|feline/i, /boat|ship|vessel/i, /bread|loaf/i];
const provider = {
  requests: [] as { model: string; input: string[] }[],
  isDown: false,
  /** Until when it holds what speaks of something slow. */
  slow: Promise.resolve(),
};
const server = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const body = JSON.parse(text) as { model: string; input: string[] };
  provider.requests.push(body);
  if (body.input.some((input) => input.includes('slow'))) await provider.slow;
  if (provider.isDown || request.url !== '/v1/embeddings')
    return void response.writeHead(503, { 'content-type': 'application/json' }).end('{"error":{}}');
  if (body.model === 'misspelt' || body.input.some((input) => input.includes('unspeakable')))
    return void response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{}}');
  const data = body.input.map((input, index) => ({
    object: 'embedding',
    index,
    embedding: [0.01, ...subjects.map((subject) => (subject.test(input) ? 5 : 0))],
  }));
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ object: 'list', data, model: body.model, usage: { prompt_tokens: 1 } }));
});
let store: Store;
let knowledge: Knowledge;
/** That of another process. */
let other: Knowledge;
const settings = {
  model: { provider: 'openai-compatible', model: 'chat', baseUrl: '' },
  embedding: { model: 'vectors' } as { model: string } | undefined,
};

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  settings.model.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  store = await (await testStore(afterAll)).open();
  await seed(store);
  // Of an agent no more is asked than its settings and credentials.
  const agent = { credentials: {}, settings } as unknown as Agent;
  const refused = () => Promise.reject(new Error('Nothing is asked for here.'));
  const open = () =>
    new Knowledge({
      store: store.knowledge,
      sources: store.settings.sources,
      bus: { publish: () => undefined },
      egress: { request: refused },
      logger: createLogger('silent'),
      embedderOf: (agentId) =>
        embedderOf(
          { settings: { agent: async () => agent }, egress: { fetch: globalThis.fetch }, providerKeys: {} },
          agentId,
        ),
    });
  knowledge = open();
  other = open();
  const texts = ['Kittens sleep all day.', 'Every vessel leaves at nine.', 'A loaf costs four euros.'];
  for (const text of texts) await savePage(text, [text]);
});
afterAll(async () => {
  await Promise.all([knowledge.close(), other.close()]);
  await store.close();
  server.close();
});

function savePage(place: string, texts: readonly string[], of = agent1): Promise<boolean> {
  const about = { address: null, language: null, version: null, reading: 1 };
  const passages = texts.map((text) => ({ title: '', text, terms: termsOf(text) }));
  const page = { sourceId: of.sourceId, agentId: of.id, place, title: place, passages };
  return store.knowledge.savePage({ ...page, ...about });
}

const find = async (query: string, agentId = agent1.id) =>
  (await knowledge.search({ agentId, query, limit: 2 })).map(({ text }) => text);

test('passages are found in other words than their own, beside those with the words', async () => {
  expect(await find('feline')).toEqual([]);
  await knowledge.embedDue(agent1);
  expect(provider.requests.at(-1)).toMatchObject({ model: 'vectors' });
  expect(await find('feline')).toEqual(['Kittens sleep all day.']);
  // Nothing that is about something else.
  expect(await find('weather')).toEqual([]);
  // By its words the first, by its vector the second: what stands in front of both orders comes first.
  expect((await find('euros for bread'))[0]).toBe('A loaf costs four euros.');
  expect((await find('nine ships'))[0]).toBe('Every vessel leaves at nine.');
});

test('what has its vector is not asked for again, and what is written anew gets another, of one process', async () => {
  const before = provider.requests.length;
  await Promise.all([knowledge.embedDue(), knowledge.embedDue(agent1)]);
  expect(provider.requests.length).toBe(before);
  await savePage('Kittens sleep all day.', ['A boat for kittens.', ...Array<string>(40).fill('Nothing.')]);
  await Promise.all([knowledge.embedDue(), other.embedDue()]);
  const asked = provider.requests.slice(before).map(({ input }) => input.length);
  expect(asked).toEqual([32, 9]);
  expect(await find('felines on ships')).toContain('A boat for kittens.');
});

test('whoever makes vectors goes through the pages of a source once, and lets others have their turn between', async () => {
  await knowledge.embedDue(agent1);
  const places = Array.from({ length: 200 }, (_, n) => `p${n}`).toSorted();
  for (const place of places) await savePage(place, ['Nothing.']);
  const before = provider.requests.length;
  const listed = vi.spyOn(store.knowledge, 'listUnembedded');
  await knowledge.embedDue(agent1);
  const asked = provider.requests.slice(before).map(({ input }) => input.length);
  expect(asked.reduce((sum, each) => sum + each, 0)).toBe(200);
  const behind = listed.mock.calls.map(([, { after }]) => after);
  // Once to see that there are any.
  expect(behind.slice(1)).toEqual([...new Set(behind)].toSorted());

  let turns = 0;
  let others = setImmediate(function take() {
    turns += 1;
    others = setImmediate(take);
  });
  listed.mockClear();
  await knowledge.embedDue(agent1);
  clearImmediate(others);
  expect(turns).toBeGreaterThanOrEqual(listed.mock.calls.length);
  expect(listed.mock.calls.length).toBeGreaterThan(3);
});

test('without the provider, without a model and with another one words find what they find', async () => {
  provider.isDown = true;
  const start = provider.requests.length;
  expect(await find('euros')).toEqual(['A loaf costs four euros.']);
  expect(provider.requests.length).toBe(start + 1);
  // Nobody waits once more for a provider that has just failed, until some time is over.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  provider.isDown = false;
  expect(await find('felines')).toEqual([]);
  expect(provider.requests.length).toBe(start + 1);
  vi.setSystemTime(Date.now() + 31_000);
  expect(await find('felines on ships')).toContain('A boat for kittens.');
  provider.isDown = true;
  await knowledge.embedDue();
  provider.isDown = false;
  settings.embedding = { model: 'others' };
  expect(await find('feline')).toEqual([]);
  await knowledge.embedDue();
  expect(await find('feline')).toEqual(['A boat for kittens.']);
  const before = provider.requests.length;
  settings.embedding = undefined;
  expect(await find('euros')).toEqual(['A loaf costs four euros.']);
  expect(provider.requests.length).toBe(before);
});

test('a text that the provider refuses keeps neither the others from their vectors nor the next search from its own', async () => {
  settings.embedding = { model: 'vectors' };
  await savePage('refused', ['An unspeakable kitten.', 'A loaf at sea on a ship.']);
  await knowledge.embedDue();
  const before = provider.requests.length;
  // Nothing that was refused is asked for again.
  await knowledge.embedDue();
  expect(provider.requests.length).toBe(before);
  await find('unspeakable');
  expect(await find('bread on vessels')).toContain('A loaf at sea on a ship.');
});

test('a provider that refuses whatever it is asked is left alone, and one that takes the next text is not', async () => {
  const asked = (model: string) => provider.requests.filter((request) => request.model === model).length;
  settings.embedding = { model: 'misspelt' };
  for (let search = 0; search < 6; search += 1)
    expect(await find('euros')).toEqual(['A loaf costs four euros.']);
  expect(asked('misspelt')).toBe(3);

  settings.embedding = { model: 'vectors' };
  const before = asked('vectors');
  for (const query of ['unspeakable', 'unspeakable', 'feline', 'unspeakable', 'unspeakable', 'feline'])
    await find(query);
  expect(asked('vectors') - before).toBe(6);
});

test('a slow provider holds up its own tenant and nobody else', async () => {
  settings.embedding = { model: 'vectors' };
  const [source] = (await store.settings.sources.list({ where: {}, after: null, limit: 1 })).items;
  await store.settings.tenants.insert({ ...(await store.settings.tenants.get('tenant_1'))!, id: 'tenant_2' });
  const { id, tenantId, sourceId } = agent2;
  await store.settings.agents.insert({ ...(await store.settings.agents.get('agent_1'))!, id, tenantId });
  await store.settings.sources.insert({ ...source!, id: sourceId, tenantId, agentId: id });
  const { promise, resolve } = Promise.withResolvers<void>();
  provider.slow = promise;
  await savePage('slow', ['A slow boat.']);
  await savePage('quick', ['Kittens run.'], agent2);
  const all = knowledge.embedDue();
  await expect.poll(() => find('feline', agent2.id)).toEqual(['Kittens run.']);
  resolve();
  await all;
  expect(await find('vessels')).toContain('A slow boat.');
});

test('of several orders what stands far in front in all of them comes first', () => {
  expect(fuseRanks([[1, 2, 3], [2, 4], []])).toEqual([2, 1, 4, 3]);
  expect(fuseRanks([])).toEqual([]);
});
