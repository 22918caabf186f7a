import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createLogger } from '../logger.ts';
import { startService } from '../service.ts';
import { enqueueRequest } from '../store/contract/samples.ts';
import { testStore } from '../testing/test-store.ts';

test('however many turns an earlier process left behind, all are taken over at the start', async () => {
  const stored = await testStore();
  const store = await stored.open();
  const sessions = Array.from({ length: 250 }, (_, index) => `session_${index}`);
  await Promise.all(
    sessions.map((sessionId) =>
      store.enqueue(enqueueRequest({ sessionId, lease: { owner: 'earlier', leaseMs: 0 } })),
    ),
  );
  const config = readConfig({ ...stored.environment, PORT: '0' });
  const service = await startService(config, createLogger('silent'), { store });
  onTestFinished(() => service.stop());
  expect(await store.listRunnable({ owner: 'another', limit: 1_000 })).toEqual([]);
});
