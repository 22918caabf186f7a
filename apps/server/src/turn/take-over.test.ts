import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createLogger } from '../logger.ts';
import { startService } from '../service.ts';
import { enqueueRequest } from '../store/contract/samples.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { testFolder } from '../testing/test-service.ts';

test('however many turns an earlier process left behind, all are taken over at the start', async () => {
  const file = join(testFolder(), 'test.db');
  const store = await openSqliteStore({ path: file });
  const sessions = Array.from({ length: 250 }, (_, index) => `session_${index}`);
  await Promise.all(
    sessions.map((sessionId) =>
      store.enqueue(enqueueRequest({ sessionId, lease: { owner: 'earlier', leaseMs: 0 } })),
    ),
  );
  const config = readConfig({ DATABASE_URL: `file:${file}`, PORT: '0' });
  const service = await startService(config, createLogger('silent'), { store });
  onTestFinished(() => service.stop());
  expect(await store.listRunnable({ owner: 'another', limit: 1_000 })).toEqual([]);
});
