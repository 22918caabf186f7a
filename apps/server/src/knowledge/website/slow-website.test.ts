import { expect, onTestFinished, test, vi } from 'vitest';
import { seed } from '../../store/contract/settings.ts';
import { testStore } from '../../testing/test-store.ts';
import { Extractor } from '../extract/extractor.ts';
import { readWebsite } from './read-website.ts';

const home = 'https://shop.example/';
const maps = Array.from({ length: 5 }, (_, n) => `${home}map${n}.xml`);

/** Reads a website whose every answer takes 15 s; what was asked for, and in between `told` where the claim was renewed. */
async function read(isWanted: (steps: readonly string[]) => boolean) {
  const store = await (await testStore()).open();
  const extractor = new Extractor();
  onTestFinished(async () => {
    await extractor.close();
    await store.close();
  });
  await seed(store);
  const steps: string[] = [];
  let waitedMs = 0;
  // A busy machine takes a second, too, and would be told of.
  vi.spyOn(performance, 'now').mockImplementation(() => waitedMs);
  const site = {
    id: 'source_1',
    agentId: 'agent_1',
    name: 'Site',
    kind: 'website' as const,
    url: home,
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
    progress: async () => {
      const wanted = isWanted(steps);
      steps.push('told');
      return wanted;
    },
    egress: {
      async request({ url }) {
        waitedMs += 15_000;
        steps.push(url);
        const of = (contentType: string, text: string) =>
          ({
            outcome: 'answer',
            status: text === '' ? 404 : 200,
            contentType,
            text,
            etag: null,
            contentSecurityPolicy: null,
          }) as const;
        if (url === home) return of('text/html', '<title>Shop</title><main><p>We sell lamps.</p></main>');
        if (url.endsWith('.txt')) return of('text/plain', maps.map((map) => `Sitemap: ${map}`).join('\n'));
        return of('application/xml', '');
      },
    },
  });
  return { reading: read && read.reading, steps };
}

test('what is read says that it goes on with every answer that it waited for', async () => {
  const { reading, steps } = await read(() => true);
  expect(reading).toMatchObject({ status: 'read', pages: 1 });
  const asked = [`${home}robots.txt`, home, ...maps, `${home}sitemap.xml`];
  expect(steps).toEqual(asked.flatMap((url) => [url, 'told']));
});

test.each(['robots.txt', '', 'map1.xml'])(
  'a reading that another process has taken over while it waited for %j ends there',
  async (path) => {
    const { reading, steps } = await read((taken) => taken.at(-1) !== home + path);
    expect(reading).toBeNull();
    expect(steps.slice(-2)).toEqual([home + path, 'told']);
  },
);
