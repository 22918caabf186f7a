import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LocalBus } from '../../bus/local-bus.ts';
import { createSecrets } from '../../crypto/secrets.ts';
import { createLogger } from '../../logger.ts';
import { SettingsCache } from '../../settings/settings-cache.ts';
import type { KeyRecord } from '../../store/settings-store.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/store.ts';
import { enqueueRequest, opening } from '../../store/contract/samples.ts';
import { testFolder } from '../../testing/test-service.ts';
import { ToolRegistry } from '../../tool/registry.ts';
import { OpenReaders } from './open-readers.ts';

const createdAt = '2026-01-01T00:00:00.000Z';
const { tenantId, agentId } = opening;
const key: KeyRecord = {
  id: 'key_1',
  tenantId,
  agentId,
  kind: 'publishable',
  label: null,
  digest: 'digest',
  publicKey: null,
  last4: 'abcd',
  allowedOrigins: [],
  allowMissingOrigin: false,
  turnsPerMinute: null,
  lastUsedAt: null,
  createdAt,
};
const anybody = { key, visitor: null, until: null };

/** The readers of a process which is not told what others store. */
async function deafReaders() {
  const store = await openSqliteStore({ path: join(testFolder(), 'test.db') });
  onTestFinished(() => store.close());
  await store.settings.tenants.insert({ id: tenantId, name: 'Tenant', createdAt });
  const agent = {
    id: agentId,
    tenantId,
    name: 'Ada',
    active: true,
    config: {},
    credentials: null,
    revision: 1,
    createdAt,
  };
  await store.settings.agents.insert(agent);
  await store.settings.keys.insert(key);
  await store.enqueue(enqueueRequest({ sessionId: 'session_1' }));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const bus = new LocalBus((error) => expect.fail(String(error)));
  const logger = createLogger('silent');
  const deps = { secrets: createSecrets(['s'.repeat(40)]), toolRegistry: new ToolRegistry([], logger) };
  const settings = new SettingsCache(store.settings, deps, bus, logger);
  const readers = new OpenReaders({ store, settings, bus, logger });
  onTestFinished(() => readers.close());
  return { store, readers };
}

const endings: [string, string, (store: Store) => Promise<unknown>][] = [
  ['the key is deleted', 'key-revoked', ({ settings }) => settings.keys.remove(key.id)],
  [
    'the key is regenerated',
    'key-revoked',
    ({ settings }) => settings.keys.update(key.id, { digest: 'new' }),
  ],
  ['the agent is deleted', 'key-revoked', ({ settings }) => settings.agents.remove(agentId)],
  ['the tenant is deleted', 'key-revoked', ({ settings }) => settings.tenants.remove(tenantId)],
  ['the session is assigned', 'session-assigned', (store) => store.assignVisitor('session_1', 'ada')],
];

test.each(endings)(
  'when %s and nobody says so, a reader is ended within a second',
  async (_, why, happens) => {
    const { store, readers } = await deafReaders();
    const end = vi.fn();
    await readers.add({ ...anybody, sessionId: 'session_1' }, end).checked;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(end).not.toHaveBeenCalled();
    await happens(store);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(end).toHaveBeenCalledWith(why);
  },
);

test('of a deleted agent readers see the session end: their key is left until it is looked at once more', async () => {
  const { store, readers } = await deafReaders();
  const end = vi.fn();
  await readers.add({ ...anybody, sessionId: 'session_1' }, end).checked;
  await vi.advanceTimersByTimeAsync(1_000);
  const looks = vi.spyOn(store.settings.keys, 'listRights');
  await store.settings.agents.remove(agentId);
  await vi.advanceTimersToNextTimerAsync();
  while (looks.mock.calls.length === 0) await vi.advanceTimersToNextTimerAsync();
  expect(end).not.toHaveBeenCalled();
});

test('thousands of readers of one key are one look at it, and of sessions of their own none', async () => {
  const { store, readers } = await deafReaders();
  await store.assignVisitor('session_1', 'ada');
  const looks = vi.spyOn(store.settings.keys, 'listRights');
  const listings = vi.spyOn(store, 'listOwned');
  const right = { ...anybody, visitor: 'ada', sessionId: 'session_1' };
  const end = vi.fn();
  await Promise.all(Array.from({ length: 3_000 }, () => readers.add(right, end).checked));
  await vi.advanceTimersByTimeAsync(4_000);
  // A look takes as long as the store does, which these clocks do not move.
  while (looks.mock.calls.length <= 3) await vi.advanceTimersToNextTimerAsync();
  expect(looks.mock.calls.length).toBeLessThan(15);
  for (const [ids] of looks.mock.calls) expect(ids).toEqual([key.id]);
  expect(listings).not.toHaveBeenCalled();
  expect(end).not.toHaveBeenCalled();
});

test('while nobody can look a key up its readers end, and are not told that it was revoked', async () => {
  const { readers, store } = await deafReaders();
  await store.close();
  const end = vi.fn();
  await readers.add({ ...anybody, sessionId: null }, end).checked;
  expect(end.mock.calls).toEqual([['unverifiable']]);
});
