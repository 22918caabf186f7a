import { expect, test } from 'vitest';
import { StoreUnavailableError } from '../store/store-error.ts';
import { failingService } from '../testing/failing-service.ts';

test('the end of a session that runs here is accepted while the store is out, and done once it is back', async () => {
  let out = false;
  const fail = () => {
    throw new StoreUnavailableError('No room');
  };
  const script = [{ steps: [{ wait: 60_000 }] }];
  const { store, visitor } = await failingService(script, (sqlite) => ({
    commit: async (lease, change) => (out ? fail() : sqlite.commit(lease, change)),
    ping: async () => (out ? fail() : sqlite.ping()),
  }));
  const session = await visitor.start('hello');
  await expect.poll(async () => (await store.getSession(session.id))?.nextIndex).toBeGreaterThan(0);
  out = true;
  expect(await session.control(`${session.id}/end`)).toMatchObject({
    status: 202,
    body: { ok: true, sessionId: session.id, status: 'accepted' },
  });
  expect(await store.getSession(session.id)).toMatchObject({ status: 'open' });
  out = false;
  await expect.poll(async () => (await store.getSession(session.id))?.status).toBe('completed');
});
