import { expect, onTestFinished, test } from 'vitest';
import { seed } from '../../store/contract/settings.ts';
import { testStore } from '../../testing/test-store.ts';
import { Extractor } from '../extract/extractor.ts';
import { readWebsite } from './read-website.ts';

const rules = 'User-agent: *\nDisallow: /private';
const page = (body: string) => `<title>Shop</title><main><p>We sell lamps of every kind.</p>${body}</main>`;

const pages = {
  'https://shop.example/robots.txt': '-> https://www.shop.example/robots.txt',
  'https://shop.example/': '-> https://www.shop.example/',
  'https://www.shop.example/robots.txt': rules,
  'https://www.shop.example/': page('<a href="/private/x">x</a><a href="/go">y</a><a href="/about">z</a>'),
  'https://www.shop.example/private/x': page('Hidden.'),
  'https://www.shop.example/private/y': page('Hidden, too.'),
  'https://www.shop.example/go': '-> https://www.shop.example/private/y',
  'https://www.shop.example/about': page('About us.'),
};

/** What is read of a website that has these pages, and how that went. */
async function read(website: Readonly<Record<string, string>>) {
  const store = await (await testStore()).open();
  const extractor = new Extractor();
  onTestFinished(async () => {
    await extractor.close();
    await store.close();
  });
  await seed(store);
  const site = {
    id: 'source_1',
    agentId: 'agent_1',
    name: 'Site',
    kind: 'website' as const,
    url: 'https://shop.example/',
    maxPages: 9,
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  const read = await readWebsite(site, {
    store: store.knowledge,
    extractor,
    tenantId: 'tenant_1',
    unchanged: 'index',
    unread: [],
    signal: new AbortController().signal,
    progress: async () => true,
    egress: {
      async request({ url }) {
        const text = website[url] ?? '';
        const location = text.startsWith('-> ') ? text.slice(3) : null;
        if (location !== null) return { outcome: 'redirect', status: 301, location, message: '' };
        const none = { etag: null, contentSecurityPolicy: null };
        const contentType = url.endsWith('.txt') ? 'text/plain' : 'text/html';
        const status = text === '' ? 404 : text === 'down' ? 503 : 200;
        return { outcome: 'answer', status, contentType, text, ...none };
      },
    },
  });
  const places = await store.knowledge.listPlaces('source_1', { after: '', limit: 9 });
  return { reading: read?.reading, places: places.map(({ place }) => place) };
}

test('a website that leads to another address of its own is read as its robots.txt asks there', async () => {
  const { reading, places } = await read(pages);
  expect(places).toEqual(['https://www.shop.example/', 'https://www.shop.example/about']);
  const asksNotTo = 'Its robots.txt asks not to read this page.';
  expect(reading?.problems.toSorted()).toEqual([
    `https://www.shop.example/private/x: ${asksNotTo}`,
    `https://www.shop.example/private/y: ${asksNotTo}`,
  ]);
});

test('one whose robots.txt cannot be read where it leads is left alone', async () => {
  const { reading, places } = await read({
    ...pages,
    'https://shop.example/robots.txt': rules,
    'https://www.shop.example/robots.txt': 'down',
  });
  expect(places).toEqual([]);
  expect(reading).toMatchObject({
    status: 'failed',
    problems: [expect.stringContaining('robots.txt could not be read')],
  });
});
