import { once } from 'node:events';
import { problemsOf, type Route } from '@parley/protocol/route';
import { routes } from '@parley/protocol/routes';
import { Router } from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from './app.ts';
import { createCors } from './middleware/cors.ts';
import { healthHandlers } from './health.ts';
import { Connections } from './connection/connections.ts';
import { serverTimeouts } from './connection/server-timeouts.ts';
import { createHttpServer } from './server.ts';
import { createLogger } from '../logger.ts';
import { createSecrets } from '../crypto/secrets.ts';
import { StoreUnavailableError } from '../store/store-error.ts';
import { request } from '../testing/test-service.ts';

/** The edge around routes that fail as they are told. */
async function failing(ping: () => Promise<void> = async () => {}) {
  const log: string[] = [];
  const lifecycle = { draining: false };
  const router = Router();
  router.get('/throws', () => {
    throw new TypeError('canary of the inside');
  });
  router.get('/full', () => {
    throw new StoreUnavailableError('database or disk is full');
  });
  router.get('/midway', (_request, response) => {
    response.write('half');
    throw new Error('canary of the inside');
  });
  router.get('/logs', (_request, response) => {
    logger.info({
      authorization: 'canary',
      headers: { cookie: 'canary' },
      deep: { er: { apiKey: 'canary' } },
    });
    logger.info(`refused sk_live_canary1234 and pk_test_canary`);
    response.json({});
  });
  const logger = createLogger('info', { write: (line) => void log.push(line) });
  const secrets = createSecrets(['s'.repeat(48)]);
  const cors = createCors({
    platform: 'parley',
    ownOrigins: new Set(),
    listed: { includes: () => Promise.reject(new StoreUnavailableError('database or disk is full')) },
  });
  const unbuilt: { what: string }[] = [];
  const { live, ready } = healthHandlers({ store: { ping }, lifecycle, listUnbuilt: () => unbuilt });
  const plain = { principal: null, id: '', query: undefined, body: undefined, sentBody: undefined };
  router.get('/healthz', async (asked, response) => live({ request: asked, response, ...plain }));
  router.get('/readyz', async (asked, response) => ready({ request: asked, response, ...plain }));
  const app = createApp({
    cors,
    logger,
    secrets,
    lifecycle,
    healthOnly: false,
    router,
    trustProxy: 0,
    maxOpenRequests: 1,
    https: true,
  });
  const limits = { maxConnections: 100, maxConnectionsPerAddress: 100 };
  const server = createHttpServer(serverTimeouts, new Connections(limits, serverTimeouts, logger));
  server.on('request', app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return { lifecycle, unbuilt, log, get: (path: string, init?: RequestInit) => request(url + path, init) };
}

test('what nobody foresaw is a 500 without details, and a line in the log', async () => {
  const { get, log } = await failing();
  const answer = await get('/throws');
  expect(answer.status).toBe(500);
  expect(answer.body).toEqual({
    ok: false,
    code: 'INTERNAL',
    error: 'Something went wrong.',
    requestId: answer.headers.get('x-request-id'),
  });
  expect(log.join('')).toContain('canary of the inside');
});

test('a store that cannot write is a 503 with Retry-After, and the service is not ready until it can', async () => {
  let full = true;
  const { get } = await failing(async () => {
    if (full) throw new StoreUnavailableError('database or disk is full');
  });
  const answer = await get('/full');
  expect(answer.status).toBe(503);
  expect(answer.body).toMatchObject({
    code: 'UNAVAILABLE',
    retryAfter: Number(answer.headers.get('retry-after')),
  });
  expect(JSON.stringify(answer.body)).not.toContain('disk');
  expect((await get('/readyz')).status).toBe(503);
  expect((await get('/healthz')).body).toEqual({ ok: true, status: 'running' });
  full = false;
  expect((await get('/readyz')).status).toBe(200);
});

test('a refusal reaches its caller although its origin cannot be judged', async () => {
  const { get } = await failing();
  const answer = await get('/parley/v1/none', { headers: { origin: 'https://a.example' } });
  expect(answer.status).toBe(404);
  expect(answer.headers.get('access-control-allow-origin')).toBe(null);
});

test('an answer that fails midway is cut, not ended', async () => {
  const { get } = await failing();
  await expect(get('/midway')).rejects.toThrow();
});

test('without its pages it is not ready, and says which to build', async () => {
  const { get, unbuilt } = await failing();
  unbuilt.push({ what: 'the widget' }, { what: 'the console' });
  const { status, body } = await get('/readyz');
  expect([status, body.error]).toEqual([
    503,
    'Not built: the widget and the console. Run `npx -y pnpm@12 build`, which needs no restart.',
  ]);
  unbuilt.length = 0;
  expect((await get('/readyz')).status).toBe(200);
});

test('while it drains, only its health is told', async () => {
  const { get, lifecycle } = await failing();
  lifecycle.draining = true;
  expect((await get('/logs')).body.code).toBe('UNAVAILABLE');
  expect((await get('/readyz')).status).toBe(503);
  expect((await get('/healthz')).body).toEqual({ ok: true, status: 'draining' });
});

test('fields named for secrets, and keys anywhere, are redacted', async () => {
  const { get, log } = await failing();
  await get('/logs');
  expect(log.join('')).toContain('refused sk_live_[redacted] and pk_test_[redacted]');
  expect(log.join('')).not.toContain('canary');
});

test('https is kept', async () => {
  const { get } = await failing();
  expect((await get('/logs')).headers.get('strict-transport-security')).toBe('max-age=31536000');
});

test('a proxy that nobody told of is warned of once: behind it everybody would count as one address', async () => {
  const { get, log } = await failing();
  const forwarded = { headers: { 'x-forwarded-for': '203.0.113.7' } };
  await get('/healthz');
  expect(log.join('')).not.toContain('TRUST_PROXY');
  for (let n = 0; n < 3; n += 1) await get('/healthz', forwarded);
  expect(log.join('').split('TRUST_PROXY is 0')).toHaveLength(2);
});

test('the reference says which calls a service that stops refuses', async () => {
  const { get, lifecycle } = await failing();
  lifecycle.draining = true;
  const table: readonly Route[] = routes('parley');
  const refused: string[] = [];
  for (const { name, method, path } of table) {
    const { status } = await get(path.replaceAll(/:\w+/g, 'x'), { method: method.toUpperCase() });
    if (status === 503) refused.push(name);
  }
  // The one that is asked whether it is ready says so itself.
  expect(refused).toContain('ready');
  expect(table.filter((route) => problemsOf(route).includes('UNAVAILABLE')).map(({ name }) => name)).toEqual(
    refused,
  );
});
