import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { createAgent } from '../server.ts';
import { createRestartableService } from './restartable-service.ts';

interface Told {
  readonly id: string | string[] | undefined;
  readonly text: string;
}

/** A tenant's own system, which is asked what it does with each event. */
async function openReceiver(verify: (body: string, headers: IncomingHttpHeaders) => void) {
  const told: Told[] = [];
  let isBusy = true;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    verify(body, request.headers);
    const { data } = JSON.parse(body) as { data: { text: string } };
    told.push({ id: request.headers['webhook-id'], text: data.text });
    if (!isBusy) response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { told, host, url: `http://${host}/`, answer: () => void (isBusy = false) };
}

test('what was being told when a process was killed is told by the next, and then the rest in order', async () => {
  let secret = '';
  const receiver = await openReceiver((body, headers) => {
    new Webhook(secret).verify(body, headers as Record<string, string>);
  });
  const service = await createRestartableService({ EGRESS_ALLOW: receiver.host });
  onTestFinished(service.close);
  const first = await service.start();
  const agent = await createAgent(first, [{ steps: [{ say: 'You said {{input}}' }] }]);
  const create = { tenantId: agent.tenantId, name: 'CRM', url: receiver.url, events: ['message'] };
  ({ secret } = await first.settings<{ secret: string }>('POST', '/webhooks', create));
  const { status } = await fetch(`${first.url}/api/v1/agent/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent.secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'ticket-1', text: 'Hello' }),
  });
  expect(status).toBe(200);
  await expect.poll(() => receiver.told.length).toBe(1);
  await service.kill();
  receiver.answer();
  await service.start();
  await expect
    .poll(() => receiver.told.map((told) => told.text))
    .toEqual(['Hello', 'Hello', 'You said Hello']);
  const [before, after, next] = receiver.told.map(({ id }) => id);
  expect(after).toBe(before);
  expect(next).not.toBe(before);
});
