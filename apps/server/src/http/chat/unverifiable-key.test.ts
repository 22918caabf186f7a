import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { createLogger } from '../../logger.ts';
import { startService } from '../../service.ts';
import { StoreUnavailableError } from '../../store/store-error.ts';
import type { Store } from '../../store/store.ts';
import { request } from '../../testing/test-service.ts';
import { testStore } from '../../testing/test-store.ts';

test('a key that cannot be looked up again is not called invalid: the caller is to come back', async () => {
  const stored = await testStore();
  const store = await stored.open();
  let isAway = false;
  const away: Store = {
    ...store,
    settings: {
      ...store.settings,
      keys: {
        ...store.settings.keys,
        get: (id) =>
          isAway
            ? Promise.reject(new StoreUnavailableError('The database is away'))
            : store.settings.keys.get(id),
      },
    },
  };
  const adminToken = 'a'.repeat(48);
  const config = readConfig({
    ...stored.environment,
    PORT: '0',
    SECRET_KEY_BASE: 's'.repeat(48),
    ADMIN_TOKEN: adminToken,
  });
  const service = await startService(config, createLogger('silent'), { store: away });
  onTestFinished(() => service.stop());
  const post = (path: string, token: string, body: unknown) =>
    request(`${service.url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
  const settings = async (path: string, body: unknown) =>
    (await post(`/settings${path}`, adminToken, body)).body;
  const { id: tenantId } = await settings('/tenants', { name: 'Tenant' });
  const model = { provider: 'scripted', script: [{ steps: [{ say: 'Hello', delayMs: 2_000 }] }] };
  const { id: agentId } = await settings('/agents', { tenantId, name: 'Ada', model });
  const { key } = await settings('/keys', { tenantId, agentId, kind: 'secret' });

  isAway = true;
  const reply = await post('/agent/chat', String(key), { id: 'c', text: 'Hello?' });
  expect(reply).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
  expect(reply.headers.get('retry-after')).toBe('1');
});
