import { expect, onTestFinished, test } from 'vitest';
import type { SourceReading } from '@parley/protocol/settings/source';
import { createLogger } from '../logger.ts';
import { seed } from '../store/contract/settings.ts';
import { testStore } from '../testing/test-store.ts';
import { Knowledge } from './knowledge.ts';

const unread: SourceReading = { status: 'waiting', pages: 0, passages: 0, readAt: null, problems: [] };
const read = (readAt: string): SourceReading => ({ ...unread, status: 'read', readAt });

/** Which websites are read, of some that never answer. */
async function setUp() {
  const store = await (await testStore()).open();
  await seed(store);
  const { sources, tenants, agents } = store.settings;
  await sources.remove('source_1');
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const knowledge = new Knowledge({
    store: store.knowledge,
    sources,
    bus: { publish: () => undefined },
    egress: {
      async request({ url, signal }) {
        const name = new URL(url).hostname.replace('.example', '');
        if (!begun.includes(name)) begun.push(name);
        await new Promise<void>((resolve) => {
          ends.set(name, resolve);
          signal.addEventListener('abort', () => resolve());
        });
        return { outcome: 'timeout', sent: true, message: 'It took too long.' };
      },
    },
    logger: createLogger('silent'),
  });
  onTestFinished(async () => {
    await knowledge.close();
    await store.close();
  });
  const [tenant, agent] = [await tenants.get('tenant_1'), await agents.get('agent_1')];
  return {
    knowledge,
    begun,
    /** Its website is found to be out of reach. */
    end: (name: string) => ends.get(name)?.(),
    add: async (name: string, ofTenant: string, reading = unread) => {
      const tenantId = `tenant_of_${ofTenant}`;
      const agentId = `agent_of_${ofTenant}`;
      if ((await tenants.get(tenantId)) === null) {
        await tenants.insert({ ...tenant!, id: tenantId });
        await agents.insert({ ...agent!, id: agentId, tenantId });
      }
      const config = { kind: 'website', url: `https://${name}.example/`, maxPages: 1 };
      const createdAt = '2026-01-01T00:00:00.000Z';
      await sources.insert({
        id: name,
        tenantId,
        agentId,
        name,
        kind: 'website',
        config,
        reading,
        unreadPages: null,
        createdAt,
      });
    },
  };
}

test('of three places the last is for a tenant that has none, and what waits comes before what is old', async () => {
  const { knowledge, begun, end, add } = await setUp();
  await add('b1', 'b', read('2026-01-02T00:00:00.000Z'));
  await add('b2', 'b', read('2026-01-03T00:00:00.000Z'));
  for (const name of ['a1', 'a2', 'a3']) await add(name, 'a');
  await Promise.all([knowledge.readDue(), knowledge.readDue()]);
  await expect.poll(() => begun.toSorted()).toEqual(['a1', 'a2', 'b1']);
  await add('c1', 'c', read('2026-01-04T00:00:00.000Z'));
  end('a1');
  await expect.poll(() => begun.slice(3)).toEqual(['c1']);
});
