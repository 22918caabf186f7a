import { expect, onTestFinished, test } from 'vitest';
import { createSecrets } from '../crypto/secrets.ts';
import { opened } from '../store/contract/samples.ts';
import { testStore } from '../testing/test-store.ts';
import { webhookLink } from './webhook-link.ts';

test('a session that cannot be read has no link, and holds no delivery up', async () => {
  const stored = await testStore();
  const store = await stored.open();
  onTestFinished(() => store.close());
  await opened(store);
  await stored.sql(`UPDATE sessions SET state = '{"version":99}'`);
  const secrets = createSecrets(['s'.repeat(48)]);
  const asked = {
    sessionId: 'session_1',
    requestId: 'apr_1',
    webhookId: 'webhook_1',
    url: 'https://shop.example/',
  };
  expect(await webhookLink({ store, secrets, pageUrl: (token) => token }, asked)).toBeNull();
});
