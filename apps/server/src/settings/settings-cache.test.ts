import { expect, onTestFinished, test, vi } from 'vitest';
import { LocalBus } from '../bus/local-bus.ts';
import { createSecrets } from '../crypto/secrets.ts';
import { createLogger } from '../logger.ts';
import { testStore } from '../testing/test-store.ts';
import type { AgentRecord } from '../store/agent-record.ts';
import type { KeyRecord } from '../store/settings-store.ts';
import type { Store } from '../store/store.ts';
import { ToolRegistry } from '../tool/registry.ts';
import { notifyWrites } from './notify-writes.ts';
import { SettingsCache } from './settings-cache.ts';

const createdAt = '2026-01-01T00:00:00.000Z';
const key: KeyRecord = {
  id: 'key_1',
  tenantId: 'tenant_1',
  agentId: null,
  kind: 'secret',
  label: null,
  digest: 'd',
  publicKey: null,
  last4: 'abcd',
  allowedOrigins: [],
  allowMissingOrigin: false,
  turnsPerMinute: null,
  lastUsedAt: null,
  createdAt,
};

const agent: AgentRecord = {
  id: 'agent_1',
  tenantId: 'tenant_1',
  name: 'Agent',
  active: true,
  config: { model: { provider: 'quoting', model: 'quoting' } },
  credentials: null,
  revision: 1,
  createdAt,
};

async function cached() {
  const store = await (await testStore()).open();
  onTestFinished(() => store.close());
  await store.settings.tenants.insert({ id: 'tenant_1', name: 'Tenant', createdAt });
  await store.settings.keys.insert(key);
  const bus = new LocalBus((error) => {
    throw error;
  });
  const logger = createLogger('silent');
  const deps = {
    secrets: createSecrets(['s'.repeat(40)]),
    toolRegistry: new ToolRegistry([], logger),
  };
  const cache = new SettingsCache(store.settings, deps, bus, logger);
  onTestFinished(() => cache.stop());
  return { store, cache, bus, settings: notifyWrites(store.settings, bus) };
}

/** Resolves once what was written before is known, and nothing that was read before is young any more. */
async function grownOld(store: Store, cache: SettingsCache): Promise<void> {
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_000);
  onTestFinished(() => now.mockRestore());
  const look = vi.spyOn(store.settings, 'listTenantRevisions').mockClear();
  cache.start();
  await expect.poll(() => look.mock.settledResults.map(({ type }) => type)).toEqual(['fulfilled']);
  cache.stop();
}

test('what many ask for at once is read once', async () => {
  const { store, cache } = await cached();
  const read = vi.spyOn(store.settings.keys, 'byDigest');
  const found = await Promise.all([cache.keyByDigest('d'), cache.keyByDigest('d')]);
  expect(found.map((record) => record?.id)).toEqual(['key_1', 'key_1']);
  expect(read).toHaveBeenCalledTimes(1);
});

test('a write in this process is seen by the next read', async () => {
  const { cache, settings } = await cached();
  expect(await cache.keyByDigest('d')).not.toBeNull();
  await settings.keys.remove('key_1');
  expect(await cache.keyByDigest('d')).toBeNull();
});

test('what was read while something was written is not kept', async () => {
  const { store, cache, settings } = await cached();
  const before = await store.settings.keys.byDigest('d');
  const slow = Promise.withResolvers<KeyRecord | null>();
  vi.spyOn(store.settings.keys, 'byDigest').mockReturnValueOnce(slow.promise);
  const reading = cache.keyByDigest('d');
  await settings.keys.remove('key_1');
  slow.resolve(before);
  await reading;
  expect(await cache.keyByDigest('d')).toBeNull();
});

test('a write of another process is seen within a second', async () => {
  const { store, cache } = await cached();
  const now = vi.spyOn(performance, 'now').mockReturnValue(10_000);
  onTestFinished(() => now.mockRestore());
  expect(await cache.key('key_1')).not.toBeNull();
  await store.settings.keys.remove('key_1');
  now.mockReturnValue(10_900);
  expect(await cache.key('key_1')).toBeNull();
});

test('what nobody has changed is kept', async () => {
  const { store, cache } = await cached();
  await store.settings.agents.insert(agent);
  await cache.key('key_1');
  await cache.agent('agent_1');
  await cache.tools('agent_1');
  await cache.connections('agent_1');
  const reads = [
    vi.spyOn(store.settings.keys, 'get'),
    vi.spyOn(store.settings.agents, 'get'),
    vi.spyOn(store.settings.tools, 'list'),
    vi.spyOn(store.settings.connections, 'list'),
  ];
  // The first look knows of no change, but of no earlier state either.
  await grownOld(store, cache);
  await cache.key('key_1');
  await cache.agent('agent_1');
  await cache.tools('agent_1');
  await cache.connections('agent_1');
  expect(reads.map((read) => read.mock.calls.length)).toEqual([1, 1, 1, 1]);
  await grownOld(store, cache);
  expect(await cache.key('key_1')).not.toBeNull();
  expect(await cache.agent('agent_1')).not.toBeNull();
  await cache.tools('agent_1');
  await cache.connections('agent_1');
  expect(reads.map((read) => read.mock.calls.length)).toEqual([1, 1, 1, 1]);
});

test('what another process has changed and could not say is read again, of its tenant alone', async () => {
  const { store, cache } = await cached();
  await store.settings.tenants.insert({ id: 'tenant_2', name: 'Other', createdAt });
  await store.settings.keys.insert({ ...key, id: 'key_2', tenantId: 'tenant_2', digest: 'e' });
  await grownOld(store, cache);
  await cache.key('key_1');
  await cache.key('key_2');
  await store.settings.keys.remove('key_1');
  await grownOld(store, cache);
  const read = vi.spyOn(store.settings.keys, 'get');
  expect(await cache.key('key_1')).toBeNull();
  expect(await cache.key('key_2')).not.toBeNull();
  expect(read.mock.calls).toEqual([['key_1']]);
});

test('when changes cannot be looked up nothing is kept', async () => {
  const { store, cache } = await cached();
  await grownOld(store, cache);
  await cache.key('key_1');
  const look = vi
    .spyOn(store.settings, 'listTenantRevisions')
    .mockRejectedValue(new Error('The store is away.'));
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_000);
  onTestFinished(() => now.mockRestore());
  cache.start();
  await expect.poll(() => look.mock.calls.length).toBeGreaterThan(0);
  const read = vi.spyOn(store.settings.keys, 'get');
  await cache.key('key_1');
  expect(read).toHaveBeenCalledTimes(1);
});

test('a write of one tenant leaves what is kept of another', async () => {
  const { store, cache, settings } = await cached();
  await settings.tenants.insert({ id: 'tenant_2', name: 'Other', createdAt });
  // What was read does not grow old while the store takes its time.
  const now = vi.spyOn(performance, 'now').mockReturnValue(10_000);
  onTestFinished(() => now.mockRestore());
  await cache.key('key_1');
  const read = vi.spyOn(store.settings.keys, 'get');
  await settings.keys.insert({ ...key, id: 'key_2', tenantId: 'tenant_2', digest: 'e' });
  await cache.key('key_1');
  expect(read).not.toHaveBeenCalled();
});

test('a draft is read again when it grows old, whatever else is kept', async () => {
  const { store, cache } = await cached();
  await store.settings.agents.insert(agent);
  await grownOld(store, cache);
  await cache.agent('agent_1.draft');
  const read = vi.spyOn(store.settings.revisions, 'getDraft');
  await grownOld(store, cache);
  await cache.agent('agent_1.draft');
  expect(read).toHaveBeenCalledTimes(1);
});

test('what was kept is read again when messages were lost', async () => {
  const { store, cache, bus } = await cached();
  expect(await cache.key('key_1')).not.toBeNull();
  await store.settings.keys.remove('key_1');
  bus.announceGap();
  expect(await cache.key('key_1')).toBeNull();
});

test('a failed read is tried again', async () => {
  const { store, cache } = await cached();
  vi.spyOn(store.settings.keys, 'get').mockRejectedValueOnce(new Error('The store is away.'));
  await expect(cache.key('key_1')).rejects.toThrow('away');
  expect(await cache.key('key_1')).not.toBeNull();
});

test('of a thousand keys and one the oldest is read again', async () => {
  const { store, cache } = await cached();
  const read = vi.spyOn(store.settings.keys, 'get');
  for (let number = 0; number <= 1_000; number += 1) await cache.key(`key_${number}`);
  read.mockClear();
  await cache.key('key_0');
  await cache.key('key_1000');
  expect(read.mock.calls).toEqual([['key_0']]);
});
