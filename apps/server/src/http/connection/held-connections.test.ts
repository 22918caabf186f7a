import { type Socket, connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { request } from '../../testing/test-service.ts';
import { testStore } from '../../testing/test-store.ts';
import { type MeasuredService, measuredService } from '../../testing/measured-service.ts';

const counts = { silent: 160, halfHeads: 160, halfBodies: 120, unread: 60 };
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
  // Seldom: what is asked here counts for the requests that the key may make.
  await vi.waitFor(
    async () => {
      const { body } = await request(url + transcript, { headers: headersOf(key) });
      expect(body.match(/"type":"turn.completed"/g)).toHaveLength(1 + followUps);
    },
    { timeout: 30_000, interval: 500 },
  );
  return { transcript, key };
}

test(
  'silent, half-sent and unread connections leave no descriptor and no memory behind',
  { timeout: 240_000 },
  async () => {
    const timeouts = { headMs: 3_000, bodyMs: 3_000, writeMs: 3_000, lingerMs: 200, checkMs: 100 };
    const service = await measuredService({
      ...(await testStore()).environment,
      SERVER_TIMEOUTS: JSON.stringify(timeouts),
      MAX_CONNECTIONS_PER_ADDRESS: '1000',
    });
    onTestFinished(() => service.kill());
    const { transcript: path, key } = await longSession(service);
    const authorized = `host: x\r\nauthorization: Bearer ${key}\r\n`;
    // More than the kernel keeps for a client that does not read.
    const transcript = `GET ${path} HTTP/1.1\r\n${authorized}\r\n`.repeat(8);
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
    await vi.waitFor(async () => expect((await status()).connections.stuck).toBe(1), 30_000);
    const before = await service.reset();
    let most = 0;
    const halfHead = 'GET / HTTP/1.1\r\nhost: ';
    const halfBody = `POST /parley/v1/session HTTP/1.1\r\n${authorized}content-length: 9\r\n\r\n{`;
    for (let index = 0; index < counts.silent; index += 1) hold('');
    for (let index = 0; index < counts.halfHeads; index += 1) hold(halfHead);
    for (let index = 0; index < counts.halfBodies; index += 1) hold(halfBody);
    for (let index = 0; index < counts.unread; index += 1) hold(transcript);
    await vi.waitFor(
      async () => {
        const now = await service.reset();
        most = Math.max(most, now.heapUsed + now.external - before.heapUsed - before.external);
        expect((await status()).connections).toMatchObject({
          timedOut: counts.silent + counts.halfHeads + counts.halfBodies,
          stuck: 1 + counts.unread,
          dropped: 0,
        });
      },
      { timeout: 150_000, interval: 500 },
    );
    const after = await service.reset();
    // The status was asked for over a connection that is kept, and so are ten at most to a database server.
    expect(after.fds).toBeLessThanOrEqual(before.fds + 1 + 10);
    expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(8 * megabyte);
    expect(most).toBeLessThan(128 * megabyte);
  },
);
