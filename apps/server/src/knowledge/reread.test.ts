import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { SourceReading } from '@parley/protocol/settings/source';
import { createLogger } from '../logger.ts';
import { readingOf } from '../settings/source.ts';
import { seed } from '../store/contract/settings.ts';
import type { Store } from '../store/store.ts';
import { testStore } from '../testing/test-store.ts';
import { Knowledge } from './knowledge.ts';

const day = 24 * 60 * 60 * 1_000;
const start = Date.parse('2026-03-01T04:00:00.000Z');
const home = 'https://shop.example/';
let now = start;
let store: Store;
let knowledge: Knowledge;
/** The sources that this process set about to read, and the addresses that it asked for. */
let claimed: string[] = [];
let asked: string[] = [];
/** What another process does between the look at the list and the claim. */
let meanwhile: () => Promise<void> = async () => {};

beforeAll(async () => {
  store = await (await testStore(afterAll)).open();
  await seed(store);
  await store.settings.sources.remove('source_1');
});
afterAll(() => store.close());
beforeEach(() => {
  now = start;
  vi.spyOn(Date, 'now').mockImplementation(() => now);
  const claim = store.knowledge.claimSource.bind(store.knowledge);
  vi.spyOn(store.knowledge, 'claimSource').mockImplementation(async (id, owner) => {
    claimed.push(id);
    await meanwhile();
    return claim(id, owner);
  });
  knowledge = new Knowledge({
    store: store.knowledge,
    sources: store.settings.sources,
    bus: { publish: () => undefined },
    egress: {
      async request({ url }) {
        asked.push(url);
        const body =
          url === home ? '<title>Shop</title><main><p>We sell lamps of every kind.</p></main>' : null;
        const answer = {
          outcome: 'answer',
          contentType: 'text/html',
          etag: null,
          contentSecurityPolicy: null,
        } as const;
        return { ...answer, status: body === null ? 404 : 200, text: body ?? '' };
      },
    },
    logger: createLogger('silent'),
  });
});
afterEach(async () => {
  // Whoever has read a website looks for the next: under the real clock it would find the same one due.
  await knowledge.close();
  await store.settings.sources.remove('website');
  vi.restoreAllMocks();
  meanwhile = async () => {};
  claimed = [];
  asked = [];
});

const createdAt = new Date(start).toISOString();
const unread: SourceReading = { status: 'waiting', pages: 0, passages: 0, readAt: null, problems: [] };
const keep = (reading: SourceReading) =>
  store.settings.sources.insert({
    id: 'website',
    tenantId: 'tenant_1',
    agentId: 'agent_1',
    name: 'Website',
    kind: 'website',
    config: { kind: 'website', url: home, maxPages: 1 },
    reading,
    createdAt,
  });
const reading = async () => readingOf((await store.settings.sources.get('website'))!);
/** Looks for what is due, and waits until a reading that began has ended; whether one began. */
async function isReadAt(time: number): Promise<boolean> {
  now = time;
  claimed = [];
  asked = [];
  const released = vi.spyOn(store.knowledge, 'releaseSource').mockClear();
  await knowledge.readDue();
  if (claimed.length === 0) return false;
  // What is let go of may be read again. It was claimed more than once where reading it took long.
  await vi.waitFor(() => expect(released).toHaveBeenCalledOnce(), { timeout: 30_000, interval: 20 });
  await released.mock.results[0]!.value;
  expect(await reading()).toMatchObject({ readAt: new Date(time).toISOString() });
  return asked.includes(home);
}

test('a website is read at once, and again when a day has passed since, not before', async () => {
  await keep(unread);
  expect(await isReadAt(start)).toBe(true);
  expect(await reading()).toMatchObject({ status: 'read', pages: 1, readAt: createdAt });
  for (const time of [start, start + 1_000, start + day - 1])
    expect(await isReadAt(time), `${time}`).toBe(false);
  expect(await isReadAt(start + day)).toBe(true);
  expect(await isReadAt(start + 2 * day - 1)).toBe(false);
  expect(await isReadAt(start + 5 * day)).toBe(true);
});

test('a reading that failed is tried again a day later, one that broke off at once', async () => {
  await keep({ ...unread, status: 'failed', readAt: createdAt, problems: ['It was down.'] });
  expect(await isReadAt(start + day - 1)).toBe(false);
  expect(await isReadAt(start + day)).toBe(true);
  await store.settings.sources.update('website', { reading: { ...(await reading()), status: 'reading' } });
  expect(await isReadAt(start + day + 1)).toBe(true);
});

test('a website that another process has read meanwhile is not read again', async () => {
  await keep({ ...unread, status: 'read', readAt: createdAt });
  const readAt = new Date(start + day).toISOString();
  meanwhile = async () => {
    await store.settings.sources.update('website', { reading: { ...unread, status: 'read', readAt } });
  };
  const released = vi.spyOn(store.knowledge, 'releaseSource');
  now = start + day;
  await knowledge.readDue();
  expect(claimed).toEqual(['website']);
  await vi.waitFor(() => expect(released).toHaveBeenCalled(), { timeout: 30_000, interval: 20 });
  expect(asked).toEqual([]);
});
