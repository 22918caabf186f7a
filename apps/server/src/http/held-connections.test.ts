import { type Socket, connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { request, testFolder } from '../test-service.ts';
import { type MeasuredService, measuredService } from '../testing/measured-service.ts';

const perKind = 125;
const followUps = 8;
const megabyte = 1024 * 1024;

/** A session with a log of some megabytes, far more than one page of it. */
async function longSession({ url, adminToken }: MeasuredService) {
  const headersOf = (token: string) => ({
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  });
  const post = async (path: string, body: unknown, token = adminToken) =>
    (await request(url + path, { method: 'POST', headers: headersOf(token), body: JSON.stringify(body) }))
      .body;
  const settings = '/api/v1/settings';
  const { id: tenantId } = await post(`${settings}/tenants`, { name: 'Tenant' });
  const script = [{ steps: [{ say: `${'x'.repeat(6_000)} `, repeat: 30 }] }];
  const model = { provider: 'scripted', script };
  const { id: agentId } = await post(`${settings}/agents`, { tenantId, name: 'Ada', model });
  const { key } = await post(`${settings}/keys`, { tenantId, agentId, kind: 'secret' });
  const base = '/parley/v1/session';
  const { sessionId, continuationToken } = await post(base, { message: 'Hello' }, key);
  for (let turn = 1; turn <= followUps; turn += 1)
    await post(`${base}/${sessionId}`, { continuationToken, message: 'More' }, key);
  const transcript = `${base}/${sessionId}/transcript?format=ndjson`;
  await vi.waitFor(async () => {
    const { body } = await request(url + transcript, { headers: headersOf(key) });
    expect(body.match(/"type":"turn.completed"/g)).toHaveLength(1 + followUps);
  }, 10_000);
  return { transcript, key };
}

test('silent, half-sent and unread connections leave no descriptor and no memory behind', async () => {
  const timeouts = { headMs: 1_000, bodyMs: 1_500, writeMs: 1_500, lingerMs: 200, checkMs: 100 };
  const service = await measuredService(testFolder(), {
    SERVER_TIMEOUTS: JSON.stringify(timeouts),
    MAX_CONNECTIONS_PER_ADDRESS: '1000',
  });
  onTestFinished(() => service.kill());
  const { transcript: path, key } = await longSession(service);
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`;
  // More than the kernel keeps for a client that does not read.
  const transcript = get(path).repeat(8);
  const clients: Socket[] = [];
  onTestFinished(() => {
    for (const client of clients) client.destroy();
  });
  const hold = (sent: string) => {
    const client = connect({
      port: Number(new URL(service.url).port),
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    clients.push(client.pause().on('error', () => undefined));
    if (sent !== '') client.write(sent);
  };
  const status = async () => {
    const headers = { authorization: `Bearer ${service.adminToken}` };
    return (await request(`${service.url}/api/v1/settings/status`, { headers })).body;
  };

  hold(transcript);
  await vi.waitFor(async () => expect((await status()).connections.stuck).toBe(1), 20_000);
  const before = await service.reset();
  let held = 0;
  for (let index = 0; index < perKind; index += 1) {
    hold('');
    hold('GET / HTTP/1.1\r\nhost: ');
    hold(
      `POST /parley/v1/session HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-length: 9\r\n\r\n{`,
    );
    hold(index % 2 === 0 ? transcript : get('/openapi.json').repeat(80));
  }
  await vi.waitFor(
    async () => {
      const now = await service.reset();
      held = Math.max(held, now.heapUsed + now.external - before.heapUsed - before.external);
      expect((await status()).connections).toMatchObject({
        timedOut: 3 * perKind,
        stuck: 1 + perKind,
        dropped: 0,
      });
    },
    { timeout: 30_000, interval: 500 },
  );
  const after = await service.reset();
  // The status was asked for over a connection that is kept.
  expect(after.fds).toBeLessThanOrEqual(before.fds + 1);
  expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(8 * megabyte);
  expect(held).toBeLessThan(128 * megabyte);
});
