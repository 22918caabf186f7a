import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { request } from '../../testing/test-service.ts';
import { testStore } from '../../testing/test-store.ts';
import { chatPath } from '../../testing/chat-service.ts';
import { openHeldEndpoint } from '../../testing/held-endpoint.ts';

const adminToken = 'the-admin-token-of-this-one-test';

test('a turn that was cut off by a crash does not stand in the way of the retry, nor double its message', async () => {
  const { environment } = await testStore();
  const endpoint = await openHeldEndpoint();
  onTestFinished(() => endpoint.close());
  const start = async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../main.ts')], {
      env: {
        ...process.env,
        ...environment,
        PORT: '0',
        ADMIN_TOKEN: adminToken,
        EGRESS_ALLOW: endpoint.host,
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [{ url }] = await once(child, 'message');
    const post = (path: string, key: string, body: unknown) =>
      request(url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const create = async (path: string, body: unknown) =>
      (await post(`/api/v1/settings${path}`, adminToken, body)).body;
    return { child, post, create };
  };

  const first = await start();
  const script = [
    { when: 'retry', steps: [{ say: 'Before this: {{recall:(.+)}}' }] },
    { steps: [{ say: 'Wait. ' }, { call: 'hold' }, { say: 'Done.' }] },
  ];
  const { id: tenantId } = await first.create('/tenants', { name: 'Tenant' });
  const model = { provider: 'scripted', script };
  const { id: agentId } = await first.create('/agents', { tenantId, name: 'Ada', model });
  await first.create('/tools', {
    agentId,
    kind: 'http',
    name: 'hold',
    description: 'Waits',
    parameters: { type: 'object' },
    request: { method: 'POST', url: `${endpoint.url}/hold` },
    idempotent: true,
  });
  const { key } = await first.create('/keys', { tenantId, agentId, kind: 'secret' });
  const lost = first.post(chatPath, key, { id: 'c', text: 'go' }).catch(() => 'lost');
  await endpoint.call('/hold');
  first.child.kill('SIGKILL');
  expect(await lost).toBe('lost');

  const second = await start();
  const again = await endpoint.call('/hold');
  const retried = second.post(chatPath, key, { id: 'c', text: 'retry' });
  await again.closed;
  expect((await retried).body).toMatchObject({ id: 'c', text: 'Before this: nothing' });
});
