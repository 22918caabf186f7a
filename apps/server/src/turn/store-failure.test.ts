import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createLogger } from '../logger.ts';
import { startService } from '../service.ts';
import { logOf } from '../store/contract/samples.ts';
import { StoreUnavailableError } from '../store/store-error.ts';
import { testStore } from '../testing/test-store.ts';
import type { Store } from '../store/store.ts';
import { request } from '../testing/test-service.ts';

/** The turn is failed after a pause. */

/** Answers `/fast` at once and `/slow` when it is told to. */
async function toolEndpoint() {
  const slow = Promise.withResolvers<void>();
  const server = createServer(async ({ url }, response) => {
    if (url === '/slow') await slow.promise;
    response.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, answerSlow: slow.resolve };
}

test('a call that answers after its turn had to fail adds nothing to the log', async () => {
  const endpoint = await toolEndpoint();
  const stored = await testStore();
  const plain = await stored.open();
  let refusals = 0;
  const store: Store = {
    ...plain,
    async commit(lease, commit) {
      if (refusals === 0 && commit.events.some(({ event }) => event.type === 'action.result')) {
        refusals += 1;
        throw new StoreUnavailableError('No room');
      }
      return plain.commit(lease, commit);
    },
  };
  const config = readConfig({ ...stored.environment, PORT: '0', EGRESS_ALLOW: endpoint.address });
  const service = await startService(config, createLogger('silent'), { store });
  onTestFinished(() => service.stop());

  const post = async (path: string, authorization: string, body: unknown) =>
    (
      await request(service.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${authorization}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).body;
  const settings = (path: string, body: unknown) =>
    post(`/api/v1/settings${path}`, service.adminToken.value, body);
  const { id: tenantId } = await settings('/tenants', { name: 'Tenant' });
  const script = [{ steps: [{ call: 'fast' }, { call: 'slow' }, { say: 'Done.' }] }];
  const { id: agentId } = await settings('/agents', {
    tenantId,
    name: 'Agent',
    model: { provider: 'scripted', script },
  });
  for (const name of ['fast', 'slow']) {
    const call = { method: 'POST', url: `http://${endpoint.address}/${name}` };
    const parameters = { type: 'object', properties: {} };
    await settings('/tools', { agentId, kind: 'http', name, description: name, parameters, request: call });
  }
  const { key } = await settings('/keys', { tenantId, agentId, kind: 'secret' });

  const { sessionId, continuationToken } = await post('/parley/v1/session', key, { message: 'Do both' });
  await post(`/parley/v1/session/${sessionId}`, key, { continuationToken, message: 'Do both again' });
  const types = async () =>
    (await logOf(plain, sessionId))
      .map(({ event }) => event.type)
      .filter((type) => type !== 'action.appended');
  await expect.poll(types).toContain('turn.failed');
  await expect.poll(types).toContain('action.result');
  endpoint.answerSlow();
  await expect.poll(types).toContain('turn.completed');
  expect(await types()).toEqual([
    'session.started',
    'turn.started',
    'message.received',
    'step.started',
    'actions.requested',
    'actions.requested',
    'step.failed',
    'turn.failed',
    'session.waiting',
    'turn.started',
    'message.received',
    'step.started',
    'actions.requested',
    'actions.requested',
    'action.result',
    'action.result',
    'step.completed',
    'step.started',
    'message.appended',
    'message.completed',
    'step.completed',
    'turn.completed',
    'session.waiting',
  ]);
});
