import { expect, test } from 'vitest';
import type { Store } from '../store/store.ts';
import { failingService, heldTimeouts } from '../testing/failing-service.ts';

/** A service whose store can still be looked into when it has stopped. */
async function outlivedService(
  script: readonly unknown[],
  fail: (store: Store) => Partial<Store> = () => ({}),
) {
  const kept = await failingService(script, (sqlite) => ({ ...fail(sqlite), close: async () => {} }));
  const { store, visitor } = kept;
  const session = await visitor.start('hello');
  await expect.poll(async () => (await store.getSession(session.id))?.nextIndex).toBeGreaterThan(0);
  return { ...kept, session, takeable: () => store.listRunnable({ owner: 'another', limit: 10 }) };
}

test('what still waits when a process has stopped is another’s to run at once', async () => {
  const stopping = Promise.withResolvers<void>();
  const { store, session, takeable, stop } = await outlivedService(
    [{ steps: [{ wait: 500 }, { say: 'Heard.' }] }],
    (sqlite) => ({
      // Else the second turn could begin before the process is told to stop.
      async commit(lease, change) {
        if (change.endTurns?.length) await stopping.promise;
        return sqlite.commit(lease, change);
      },
    }),
  );
  await session.send({ message: 'and more' });
  const stopped = stop();
  stopping.resolve();
  await stopped;
  expect(await takeable()).toEqual([session.id]);
  expect(await store.listQueue(session.id)).toHaveLength(1);
  await store.close();
});

test('a turn that a stopping process leaves in the log is another’s to go on with at once', async () => {
  const { store, session, takeable, stop } = await outlivedService([{ steps: [{ wait: 600_000 }] }]);
  const timeouts = heldTimeouts();
  let stopped = false;
  void stop().then(() => (stopped = true));
  const over = async () => {
    await timeouts.pass();
    return stopped;
  };
  await expect.poll(over).toBe(true);
  expect(await takeable()).toEqual([session.id]);
  await store.close();
});
