import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { openToolEndpoint } from '../testing/tool-endpoint.ts';
import { createLogger } from '../logger.ts';
import { startService } from '../service.ts';
import { testStore } from '../testing/test-store.ts';
import type { Store } from '../store/store.ts';
import { request } from '../testing/test-service.ts';
import { measuredService } from '../testing/measured-service.ts';

test('a call is repeated only once the log says so', async () => {
  const stored = await testStore();
  const endpoint = await openToolEndpoint();
  onTestFinished(() => endpoint.close());
  const first = await measuredService({ ...stored.environment, EGRESS_ALLOW: endpoint.host });
  onTestFinished(() => first.kill());
  const post = async (path: string, body: unknown, token = first.adminToken) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return (await request(first.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).body;
  };
  const settings = '/api/v1/settings';
  const { id: tenantId } = await post(`${settings}/tenants`, { name: 'Tenant' });
  const model = { provider: 'scripted', script: [{ steps: [{ call: 'look_up' }, { say: 'Done.' }] }] };
  const { id: agentId } = await post(`${settings}/agents`, { tenantId, name: 'Ada', model });
  await post(`${settings}/tools`, {
    agentId,
    kind: 'http',
    name: 'look_up',
    description: 'Looks up',
    parameters: { type: 'object' },
    request: { method: 'GET', url: `${endpoint.url}/stuck` },
    idempotent: true,
  });
  const { key } = await post(`${settings}/keys`, { tenantId, agentId, kind: 'secret' });
  await post('/parley/v1/session', { message: 'Hello' }, key);
  await endpoint.called('/stuck');
  await first.kill();

  const store = await stored.open();
  let callsBefore = 0;
  const marked = Promise.withResolvers<void>();
  const slow: Store = {
    ...store,
    async commit(lease, change) {
      if (change.events.some(({ event }) => event.type === 'action.retried')) {
        // A call that does not wait for this write is made meanwhile.
        await setTimeout(200);
        callsBefore = endpoint.calls.length;
        marked.resolve();
      }
      return store.commit(lease, change);
    },
  };
  const config = readConfig({ ...stored.environment, PORT: '0', EGRESS_ALLOW: endpoint.host });
  const second = await startService(config, createLogger('silent'), { store: slow });
  onTestFinished(() => second.stop());
  await marked.promise;
  expect(callsBefore).toBe(1);
  // Answers nobody: a service that stops waits for it.
  endpoint.close();
});
