import { connect } from 'node:net';
import { serviceStatusSchema } from '@parley/protocol/settings/status';
import { expect, onTestFinished, test } from 'vitest';
import { provision, testService } from '../../testing/test-service.ts';

test('the status counts what is open and what was dropped, streams with it', async () => {
  const service = await testService({ MAX_CONNECTIONS_PER_ADDRESS: '8' });
  const status = async () => serviceStatusSchema.parse((await service.settings('GET', '/status')).body);
  const bound = await provision(service);
  const { key } = (await service.settings('POST', '/keys', { ...bound, kind: 'secret' })).body;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ message: 'Hello' });
  const session = (await service.call('/parley/v1/session', { method: 'POST', headers, body })).body;
  expect((await status()).streams).toEqual({ open: 0, behind: 0 });
  const controller = new AbortController();
  const stream = await fetch(`${service.url}/parley/v1/session/${session.sessionId}/stream`, {
    headers,
    signal: controller.signal,
  });
  expect((await status()).streams).toEqual({ open: 1, behind: 0 });
  controller.abort();
  await stream.text().catch(() => undefined);
  await expect.poll(async () => (await status()).streams.open).toBe(0);

  const sockets = Array.from({ length: 10 }, () => connect(Number(new URL(service.url).port), '127.0.0.1'));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  await new Promise((resolve) => sockets.forEach((socket) => socket.on('error', resolve)));
  const { connections } = await status();
  expect(connections.dropped).toBeGreaterThan(0);
  expect(connections.open).toBeLessThanOrEqual(8);
  expect(connections.accepted).toBeGreaterThanOrEqual(connections.open);
});

test("behind a proxy the limit is on the requests of a forwarded address, not on the proxy's connections", async () => {
  const service = await testService({ TRUST_PROXY: '1', MAX_CONNECTIONS_PER_ADDRESS: '2' });
  const bound = await provision(service);
  const { key } = (await service.settings('POST', '/keys', { ...bound, kind: 'secret' })).body;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ message: 'Hello' });
  const session = (await service.call('/parley/v1/session', { method: 'POST', headers, body })).body;
  const follow = async (address: string) => {
    const controller = new AbortController();
    onTestFinished(() => controller.abort());
    const response = await fetch(`${service.url}/parley/v1/session/${session.sessionId}/stream`, {
      headers: { ...headers, 'x-forwarded-for': address },
      signal: controller.signal,
    });
    return { response, controller };
  };
  const first = await follow('2001:db8::1');
  expect((await follow('2001:db8::2')).response.status).toBe(200);
  const refused = (await follow('2001:db8::3')).response;
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({
    code: 'QUOTA_EXCEEDED',
    error: expect.stringContaining('2 requests'),
  });
  expect((await follow('2001:db8:0:1::1')).response.status).toBe(200);
  first.controller.abort();
  await expect.poll(async () => (await follow('2001:db8::3')).response.status).toBe(200);
});
