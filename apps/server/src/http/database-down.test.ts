import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createLogger } from '../logger.ts';
import { startService } from '../service.ts';
import { newAgent } from '../testing/new-agent.ts';
import { tcpProxy } from '../testing/tcp-proxy.ts';
import { createTestDatabase } from '../testing/test-database.ts';
import { request } from '../testing/test-service.ts';
import { Visitor, said } from '../testing/visitor.ts';

const script = [{ steps: [{ say: 'Heard {{input}}' }] }];

/** The service on a PostgreSQL server, the network to it, and somebody who has been here before. */
async function serve() {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const network = await tcpProxy(database.url);
  const config = readConfig({
    DATABASE_URL: network.url,
    PORT: '0',
    ADMIN_TOKEN: 'a'.repeat(48),
    SECRET_KEY_BASE: 's'.repeat(48),
  });
  const service = await startService(config, createLogger('silent'));
  onTestFinished(() => service.stop());
  const { key } = await newAgent(service, script);
  const visitor = new Visitor(service.url, key);
  await (await visitor.start('before')).log(1);
  return { url: service.url, network, visitor };
}

/** A statement is given up after 10 s at the latest, and its answer is not waited for longer than 12. */
const longestMs = 12_000;
/** What a busy machine may add to it. */
const slackMs = 18_000;

/** What a visitor is told while nothing can be stored. */
async function refused({ visitor }: Awaited<ReturnType<typeof serve>>): Promise<void> {
  const asked = performance.now();
  const { status, headers, body } = await visitor.post('', { message: 'meanwhile' });
  expect(performance.now() - asked).toBeLessThan(longestMs + slackMs);
  expect(status).toBe(503);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(body).toMatchObject({
    ok: false,
    code: 'UNAVAILABLE',
    error: 'The service cannot store anything at the moment.',
  });
}

/** The service answers again by itself, and nothing of what it refused is there. */
async function recovers({ url, visitor }: Awaited<ReturnType<typeof serve>>): Promise<void> {
  const ready = async () => (await request(`${url}/readyz`)).status;
  await expect.poll(ready, { timeout: 40_000 }).toBe(200);
  expect(said(await (await visitor.start('after')).log(1))).toEqual(['Heard after']);
}

test('a database that falls silent is told as such in time, and used again as soon as it answers', async () => {
  const service = await serve();
  service.network.stall();
  await refused(service);
  await recovers(service);
});

test('a database that is out of reach is told at once, and used again once it is there', async () => {
  const service = await serve();
  service.network.cut();
  await refused(service);
  expect((await request(`${service.url}/readyz`)).status).toBe(503);
  expect((await request(`${service.url}/healthz`)).status).toBe(200);
  service.network.mend();
  await recovers(service);
});
