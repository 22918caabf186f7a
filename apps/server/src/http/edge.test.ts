import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { problemSchema } from '@parley/protocol/problem';
import { problemsOf, type Route } from '@parley/protocol/route';
import { routes } from '@parley/protocol/routes';
import { expect, test } from 'vitest';
import { healthHandlers } from './health.ts';
import { provision, testService, type TestService } from '../testing/test-service.ts';

type Body = string | Uint8Array<ArrayBuffer>;

const tenants = '/api/v1/settings/tenants';

function post(service: TestService, body: Body, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${service.adminToken}`;
  const all = { authorization, 'content-type': 'application/json', ...headers };
  return service.call(tenants, { method: 'POST', headers: all, body });
}

/** What a server says to bytes as they are. */
function raw(service: TestService, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(service.url);
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes, 'latin1'));
    let answer = '';
    socket.on('data', (chunk) => (answer += String(chunk)));
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
  });
}

test('hostile bodies are refused in the one shape, and nothing is stored', async () => {
  const service = await testService();
  const bytes = (...values: number[]) => new Uint8Array(values);
  const refused: [string, number, Body, Record<string, string>?][] = [
    ['nothing', 400, ''],
    ['half a document', 400, '{"name":'],
    ['not an object', 400, '[]'],
    ['null', 400, 'null'],
    ['a prototype', 400, '{"name":"x","__proto__":{"admin":true}}'],
    ['a constructor', 400, '{"name":"x","constructor":{"prototype":{}}}'],
    ['U+0000', 400, '{"name":"a\\u0000b"}'],
    ['deep nesting', 400, `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['broken UTF-8', 400, bytes(0x7b, 0x22, 0x6e, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d)],
    ['an overlong encoding', 400, bytes(0x22, 0xc0, 0xaf, 0x22)],
    ['too much', 413, `{"name":"${'x'.repeat(1024 * 1024)}"}`],
    ['compression', 415, new Uint8Array(gzipSync('{"name":"x"}')), { 'content-encoding': 'gzip' }],
    ['a form', 415, 'name=x', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['text', 415, '{"name":"x"}', { 'content-type': 'text/plain' }],
    ['another charset', 415, '{"name":"x"}', { 'content-type': 'application/json; charset=utf-16' }],
  ];
  for (const [what, status, body, headers] of refused) {
    const answer = await post(service, body, headers);
    expect(answer.status, what).toBe(status);
    expect(problemSchema.safeParse(answer.body).success, what).toBe(true);
    expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'));
  }
  expect((await service.settings('GET', '/tenants')).body.items).toEqual([]);
  expect(Object.getPrototypeOf({})).not.toHaveProperty('admin');
});

test('a body at the limit is read; a lone surrogate becomes U+FFFD', async () => {
  const service = await testService();
  const padded = '{"name":"x"}'.padEnd(1024 * 1024, ' ');
  expect((await post(service, padded)).status).toBe(201);
  expect((await post(service, `${padded} `)).status).toBe(413);
  const charset = { 'content-type': 'application/json; charset=UTF-8' };
  expect((await post(service, '{"name":"a\\ud800"}', charset)).body.name).toBe('a\ufffd');
});

test('an unknown path is a 404 in JSON, whatever the method', async () => {
  const service = await testService();
  for (const [method, path] of [
    ['GET', '/none'],
    ['POST', '/none'],
    ['POST', '/api/v2/agent/chat'],
    ['DELETE', '/api/v1/settings'],
    ['GET', '/healthz/'],
    ['GET', '/HEALTHZ'],
    ['OPTIONS', '/none'],
  ] as const) {
    const answer = await service.call(path, { method });
    expect(answer.status, path).toBe(404);
    expect(answer.body).toMatchObject({ ok: false, code: 'NOT_FOUND' });
  }
  expect((await service.call('/api/v1/settings/tenants/%zz', { headers: {} })).status).toBe(400);
});

test('whoever opens the address of the service is led to the console', async () => {
  const service = await testService();
  const home = await service.call('/', { redirect: 'manual' });
  expect([home.status, home.headers.get('location')]).toEqual([302, '/console']);
});

test('a page is found with a slash behind its address, too', async () => {
  const service = await testService();
  const led = async (path: string) => {
    const { status, headers } = await service.call(path, { redirect: 'manual' });
    return [status, headers.get('location')];
  };
  for (const path of ['/docs', '/docs/curl', '/console']) expect(await led(`${path}/`)).toEqual([308, path]);
  for (const path of ['/docs//', '//docs/', '/docs/a/b/', '/readyz/'])
    expect(await led(path)).toEqual([404, null]);
});

test('U+0000 in a path or a query is a 400 that says so', async () => {
  const service = await testService();
  const delivery = '/api/v1/settings/webhooks/a/deliveries/%00';
  const entry = '/api/v1/settings/tenants/a%00';
  for (const path of ['/parley/v1/file/%00', entry, delivery, `${tenants}?after=%00`]) {
    const authorization = `Bearer ${service.adminToken}`;
    const answer = await service.call(path, { headers: { authorization } });
    expect([answer.status, answer.body.error], path).toEqual([400, 'U+0000 is not accepted.']);
  }
});

test('the reference says of every call with a place in its path that this may be no text', async () => {
  const service = await testService();
  const headers = { authorization: `Bearer ${service.adminToken}` };
  for (const route of routes('parley') as readonly Route[]) {
    if (!route.path.includes(':')) continue;
    const path = route.path.replaceAll(/:\w+/g, '%');
    const { status } = await service.call(path, { method: route.method.toUpperCase(), headers });
    expect([status, problemsOf(route).includes('BAD_REQUEST')], route.name).toEqual([400, true]);
  }
});

test('however many ask at once whether the service is ready, the store is asked once', async () => {
  let pings = 0;
  const waiting = Promise.withResolvers<void>();
  const ping = () => {
    pings += 1;
    return waiting.promise;
  };
  const { ready } = healthHandlers({
    store: { ping },
    lifecycle: { draining: false },
    listUnbuilt: () => [],
  });
  const answers: unknown[] = [];
  const response = { json: (body: unknown) => answers.push(body) };
  const ask = async () => ready({ response } as unknown as Parameters<typeof ready>[0]);
  const asked = [ask(), ask(), ask()];
  waiting.resolve();
  await Promise.all(asked);
  await ask();
  expect(answers).toEqual(Array.from({ length: 4 }, () => ({ ok: true, status: 'ready' })));
  expect(pings).toBe(2);
});

test('an address that cannot be read is a 400 in JSON', async () => {
  const answer = await raw(
    await testService(),
    'GET http://[/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
  );
  expect(answer).toMatch(/^HTTP\/1.1 400 /);
  expect(problemSchema.safeParse(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).success).toBe(true);
});

test('every answer carries the security headers and names no software', async () => {
  const service = await testService();
  for (const path of ['/healthz', '/none', tenants]) {
    const { headers } = await service.call(path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-powered-by')).toBe(null);
    expect(headers.get('etag')).toBe(null);
  }
});

test('a request id of the caller is kept when it is harmless', async () => {
  const service = await testService();
  const idFor = async (given: string) =>
    (await service.call('/healthz', { headers: { 'x-request-id': given } })).headers.get('x-request-id');
  expect(await idFor('trace-1234')).toBe('trace-1234');
  for (const given of ['short', 'x'.repeat(65), 'has space', '<script>12345']) {
    expect(await idFor(given)).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test.each([
  ['no HTTP', 'HELLO\r\n\r\n', 400],
  ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
  ['a header of 20 KB', `GET /healthz HTTP/1.1\r\nhost: x\r\nx-large: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  [
    'two lengths',
    'POST /healthz HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
    400,
  ],
])('%s is refused before any route', async (_what, bytes, status) => {
  const service = await testService();
  const answer = await raw(service, bytes);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

test('two Authorization headers are none', async () => {
  const service = await testService();
  const authorization = `authorization: Bearer ${service.adminToken}\r\n`;
  const head = `GET ${tenants} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n`;
  expect(await raw(service, `${head}${authorization}\r\n`)).toMatch(/^HTTP\/1.1 200 /);
  expect(await raw(service, `${head}${authorization}${authorization}\r\n`)).toMatch(/^HTTP\/1.1 401 /);
});

test('no key, token or session id reaches the log', async () => {
  const service = await testService({ LOG_LEVEL: 'trace' });
  const bound = await provision(service);
  const secret = await service.settings('POST', '/keys', { ...bound, kind: 'secret' });
  const publishable = await service.settings('POST', '/keys', { ...bound, kind: 'publishable' });
  const headers = { authorization: `Bearer ${secret.body.key}`, cookie: 'sid=canary-cookie' };
  await service.call(`/v1/config?key=${publishable.body.key}`, { headers });
  await service.call(`/none/${secret.body.key}`, { headers });
  await service.call('/parley/v1/session/canary-session/stream', { headers });
  await service.call('/api/v1/agent/chat/canary-conversation/stream', { headers });
  await service.stop();
  const log = service.log.join('');
  expect(log).toContain('/v1/config');
  expect(log).toContain('/none/sk_live_[redacted]');
  for (const canary of [secret.body.key, publishable.body.key, service.adminToken, 'canary'])
    expect(log).not.toContain(canary);
});

test('the interface describes itself', async () => {
  const service = await testService({ PLATFORM: 'eve' });
  const document = await service.call('/openapi.json');
  expect(document.body.paths).toHaveProperty('/eve/v1/session/{id}/stream');
  const page = await service.call('/docs/reference-sessions');
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = String(page.headers.get('content-security-policy'));
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
  expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
  expect(page.headers.get('cache-control')).toBe('public, max-age=300');
  expect(page.body).toContain('<b>GET</b> /eve/v1/session/:id/stream</h2>');
  expect(page.body).toContain(`curl ${service.url}/eve/v1/session/ID/stream`);
  expect(page.body.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="/docs/docs.js">']);
  const etag = page.headers.get('etag') ?? '';
  const again = await service.call('/docs/reference-sessions', {
    // Else Node's own client asks for it whole.
    headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' },
  });
  expect(again.status).toBe(304);
  const missing = await service.call('/docs/nothing');
  expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'no-store']);
  expect(missing.body).toContain('<h1>There is no such page</h1>');
});
