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
/** As another start of the process does. */
let begin: () => Knowledge;
/** The sources that this process set about to read, and the addresses that it asked for. */
let claimed: string[] = [];
let asked: string[] = [];
/** Of these, what was asked with the version that is known. */
let askedWithVersion: string[] = [];
/** What is at an address, always of the same version; nothing: it is out of reach. */
let pages: Record<string, string> = {};
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
  pages = { [home]: '<title>Shop</title><main><p>We sell lamps of every kind.</p></main>' };
  vi.spyOn(Date, 'now').mockImplementation(() => now);
  const claim = store.knowledge.claimSource.bind(store.knowledge);
  vi.spyOn(store.knowledge, 'claimSource').mockImplementation(async (id, owner) => {
    claimed.push(id);
    await meanwhile();
    return claim(id, owner);
  });
  begin = () =>
    new Knowledge({
      store: store.knowledge,
      sources: store.settings.sources,
      bus: { publish: () => undefined },
      egress: {
        async request({ url, headers }) {
          asked.push(url);
          const isRobots = !url.startsWith(home) || /\.(?:txt|xml)$/.test(url);
          const text = pages[url];
          if (headers['if-none-match'] !== undefined) {
            askedWithVersion.push(url);
            return { outcome: 'redirect', status: 304, location: null, message: '' };
          }
          const answer = {
            outcome: 'answer',
            contentType: 'text/html',
            etag: text === undefined ? null : '"v1"',
            contentSecurityPolicy: null,
          } as const;
          return { ...answer, status: text !== undefined ? 200 : isRobots ? 404 : 503, text: text ?? '' };
        },
      },
      logger: createLogger('silent'),
    });
  knowledge = begin();
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
const keep = (reading: SourceReading, maxPages = 1) =>
  store.settings.sources.insert({
    id: 'website',
    tenantId: 'tenant_1',
    agentId: 'agent_1',
    name: 'Website',
    kind: 'website',
    config: { kind: 'website', url: home, maxPages },
    reading,
    unreadPages: null,
    createdAt,
  });
const reading = async () => readingOf((await store.settings.sources.get('website'))!);
/** Looks for what is due, and waits until a reading that began has ended; whether one began. */
async function isReadAt(time: number): Promise<boolean> {
  now = time;
  claimed = [];
  asked = [];
  askedWithVersion = [];
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

test('a website that somebody has read again is indexed anew, although its pages have the version that is known', async () => {
  await keep(unread);
  await isReadAt(start);
  // As a version that reads pages better than the one before makes of the same page.
  pages[home] = '<title>Shop</title><main><p>Lanterns are sold here.</p></main>';
  await isReadAt(start + day);
  const found = () => knowledge.search({ agentId: 'agent_1', query: 'lanterns', limit: 1 });
  expect(await found()).toEqual([]);
  await store.settings.sources.update('website', { reading: { ...(await reading()), status: 'waiting' } });
  await isReadAt(start + day + 1);
  expect(await found()).toHaveLength(1);
});

const lamps = `${home}lamps`;
const linked =
  '<title>Shop</title><main><p>We sell lamps of every kind.</p><a href="/lamps">Lamps</a></main>';

test.each<[string, () => Promise<number>]>([
  [
    'that was out of reach',
    async () => {
      await keep(unread, 5);
      await isReadAt(start);
      expect(await reading()).toMatchObject({ pages: 1, problems: [`${lamps}: The address answered 503.`] });
      return start + day;
    },
  ],
  [
    'that was not yet read when the reading broke off',
    async () => {
      await keep(unread, 5);
      await isReadAt(start);
      await store.settings.sources.update('website', { reading: { ...unread, status: 'reading' } });
      return start + 1;
    },
  ],
  [
    'for which there is room now',
    async () => {
      await keep(unread, 1);
      await isReadAt(start);
      expect(await reading()).toMatchObject({ pages: 1, problems: [] });
      const config = { kind: 'website', url: home, maxPages: 5 };
      await store.settings.sources.update('website', { config, reading: unread });
      return start + 1;
    },
  ],
])('a page %s is found behind one that has not changed', async (_which, before) => {
  pages = { [home]: linked };
  const time = await before();
  pages[lamps] = '<title>Lamps</title><main><p>Lamps of brass, and of glass.</p></main>';
  await isReadAt(time);
  expect(await reading()).toMatchObject({ status: 'read', pages: 2, problems: [] });
  // Now that all is known, it is asked only what has changed.
  await isReadAt(time + day);
  expect(askedWithVersion.toSorted()).toEqual([home, lamps]);
  expect(await reading()).toMatchObject({ status: 'read', pages: 2, problems: [] });
});

test('a website of which one page always fails is asked only what has changed, and for that page until it is there', async () => {
  pages = { [home]: linked };
  await keep(unread, 5);
  await isReadAt(start);
  const problems = [`${lamps}: The address answered 503.`];
  for (const days of [1, 2]) {
    await isReadAt(start + days * day);
    expect(askedWithVersion).toEqual([home]);
    expect(asked).toContain(lamps);
    expect(await reading()).toMatchObject({ status: 'read', pages: 1, problems });
  }
  pages[lamps] = '<title>Lamps</title><main><p>Lamps of brass, and of glass.</p></main>';
  await isReadAt(start + 3 * day);
  expect(await reading()).toMatchObject({ status: 'read', pages: 2, problems: [] });
});

test('a page that always fails is forgotten within a week of the last link to it', async () => {
  pages = { [home]: linked };
  await keep(unread, 5);
  for (const days of [0, 1]) await isReadAt(start + days * day);
  pages[home] = '<title>Shop</title><main><p>We sell lamps of every kind.</p></main>';
  for (const days of [6, 7]) await isReadAt(start + days * day);
  expect(asked).not.toContain(lamps);
  expect(await reading()).toMatchObject({ status: 'read', pages: 1, problems: [] });
  await isReadAt(start + 8 * day);
  expect(askedWithVersion).toEqual([home]);
});

test('a website that another version has read since, which keeps no addresses of what failed, is looked through', async () => {
  pages = { [home]: linked };
  await keep(unread, 5);
  await isReadAt(start);
  const readAt = new Date(start + 1).toISOString();
  await store.settings.sources.update('website', { reading: { ...(await reading()), readAt } });
  pages[lamps] = '<title>Lamps</title><main><p>Lamps of brass, and of glass.</p></main>';
  await isReadAt(start + 2 * day);
  expect(askedWithVersion).toEqual([]);
  expect(await reading()).toMatchObject({ status: 'read', pages: 2, problems: [] });
});

test('what somebody has read again is indexed anew also where a restart has interrupted it', async () => {
  await keep(unread);
  await isReadAt(start);
  pages[home] = '<title>Shop</title><main><p>Lanterns are sold here.</p></main>';
  await store.settings.sources.update('website', { reading: { ...(await reading()), status: 'waiting' } });
  const last = vi.spyOn(store.knowledge, 'getLastReading').mockImplementationOnce(async () => {
    void knowledge.close();
    return null;
  });
  await knowledge.readDue();
  await vi.waitFor(() => expect(last).toHaveBeenCalled(), { timeout: 30_000, interval: 20 });
  await knowledge.close();
  expect(await reading()).toMatchObject({ status: 'reading' });
  knowledge = begin();
  await isReadAt(start + 1);
  expect(await knowledge.search({ agentId: 'agent_1', query: 'lanterns', limit: 1 })).toHaveLength(1);
});

test('a website that is changed while its reading ends is read as it is now', async () => {
  await keep(unread);
  const { sources } = store.settings;
  const update = sources.update.bind(sources);
  const config = { kind: 'website', url: `${home}new`, maxPages: 1 };
  vi.spyOn(sources, 'update').mockImplementation(async (id, fields, ...more) => {
    const { status } = (fields.reading ?? {}) as Partial<SourceReading>;
    if (status === 'read' && !asked.includes(config.url)) await update(id, { config, reading: unread });
    return update(id, fields, ...more);
  });
  pages[config.url] = '<title>New</title><main><p>Lanterns are sold here.</p></main>';
  now = start;
  await knowledge.readDue();
  await vi.waitFor(() => expect(asked).toContain(config.url), { timeout: 30_000, interval: 20 });
  await vi.waitFor(async () => expect((await reading()).status).toBe('read'), {
    timeout: 30_000,
    interval: 20,
  });
});

test('a website that somebody has read again while its reading ends is read again', async () => {
  await keep(unread);
  const { sources } = store.settings;
  const update = sources.update.bind(sources);
  let isAsked = false;
  vi.spyOn(sources, 'update').mockImplementation(async (id, fields, ...more) => {
    const { status } = (fields.reading ?? {}) as Partial<SourceReading>;
    if (status === 'read' && !isAsked) {
      isAsked = true;
      await knowledge.read((await sources.get(id))!);
    }
    return update(id, fields, ...more);
  });
  now = start;
  await knowledge.readDue();
  const timesRead = () => asked.filter((address) => address === home).length;
  await vi.waitFor(() => expect(timesRead()).toBe(2), { timeout: 10_000, interval: 20 });
  await vi.waitFor(async () => expect((await reading()).status).toBe('read'), {
    timeout: 30_000,
    interval: 20,
  });
});

test('a website that somebody has read again while its reading breaks off is read again', async () => {
  await keep({ ...unread, status: 'read', readAt: createdAt });
  vi.spyOn(store.knowledge, 'getLastReading').mockImplementationOnce(async () => {
    await knowledge.read((await store.settings.sources.get('website'))!);
    throw new Error('It broke off.');
  });
  const released = vi.spyOn(store.knowledge, 'releaseSource');
  now = start + day;
  await knowledge.readDue();
  await vi.waitFor(() => expect(released).toHaveBeenCalled(), { timeout: 30_000, interval: 20 });
  expect(await reading()).toMatchObject({ status: 'waiting' });
  await isReadAt(start + day);
  expect(await reading()).toMatchObject({ status: 'read' });
});
