import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { getGlobalDispatcher, MockAgent, setGlobalDispatcher } from 'undici';
import type { Resolve } from './destination.ts';
import { createEgress, type EgressRequest } from './egress.ts';

const MEGABYTE = 1_048_576;
const closers: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function listen(server: Server, host = '127.0.0.1', port = 0): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((listening) => server.listen(port, host, listening));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const serve = (
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  host?: string,
  port?: number,
) => listen(createHttpServer(handle), host, port);

function open(options: { allow: readonly string[]; resolve?: Resolve }) {
  const egress = createEgress(options);
  closers.push(() => egress.close());
  const request = (url: string, more: Partial<EgressRequest> = {}) =>
    egress.request({
      tenantId: 'a',
      method: 'GET',
      url,
      headers: {},
      timeoutMs: 30_000,
      signal: new AbortController().signal,
      ...more,
    });
  return { egress, request };
}

async function pair(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const port = await serve(handle);
  return { ...open({ allow: [`127.0.0.1:${port}`] }), url: `http://127.0.0.1:${port}` };
}

const text = { 'content-type': 'text/plain' };

test('an exchange carries method, headers and body out, status and text back', async () => {
  const { request, url } = await pair((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      response.writeHead(418, { 'content-type': 'text/plain; charset=latin1', 'retry-after': '7' });
      const body = `${incoming.method} ${incoming.url} ${String(incoming.headers['x-a'])} ${Buffer.concat(chunks).toString()} `;
      response.end(Buffer.concat([Buffer.from(body), Buffer.from([0xe9])]));
    });
  });
  expect(
    await request(`${url}/p?q=1`, { method: 'PUT', headers: { 'X-A': 'a' }, body: 'hello' }),
  ).toMatchObject({
    outcome: 'answer',
    status: 418,
    retryAfter: '7',
    text: 'PUT /p?q=1 a hello é',
  });
});

test('nothing patched into the globals sees or changes a request', async () => {
  const { egress, request, url } = await pair((_incoming, response) =>
    response.writeHead(200, text).end('real'),
  );
  const { fetch } = globalThis;
  const dispatcher = getGlobalDispatcher();
  const mock = new MockAgent();
  mock.disableNetConnect();
  setGlobalDispatcher(mock);
  globalThis.fetch = () => Promise.reject(new Error('patched'));
  try {
    expect(await request(url)).toMatchObject({ outcome: 'answer', text: 'real' });
    expect(await (await egress.fetch(url)).text()).toBe('real');
    expect(await request('http://127.0.0.2/')).toMatchObject({ outcome: 'denied', reason: 'address' });
    await expect(egress.fetch('http://127.0.0.2/')).rejects.toThrow('not on the public internet');
  } finally {
    globalThis.fetch = fetch;
    setGlobalDispatcher(dispatcher);
  }
});

test('a private address is reachable only on the port that was opened', async () => {
  const { request } = await pair(() => {});
  const other = await serve((_incoming, response) => response.end('no'));
  expect(await request(`http://127.0.0.1:${other}/`)).toMatchObject({ outcome: 'denied', reason: 'port' });
});

test('an opened network admits names and ports that lead into it and nothing else', async () => {
  const port = await serve((_incoming, response) => response.end('in'));
  const resolve: Resolve = async (hostname) => [
    { address: '127.0.0.1', family: 4 },
    ...(hostname === 'both.example.com' ? [{ address: '127.0.0.2', family: 4 } as const] : []),
  ];
  const { request } = open({ allow: ['127.0.0.1/32'], resolve });
  expect(await request(`http://inside:${port}/`)).toMatchObject({ outcome: 'answer', text: 'in' });
  expect(await request(`http://both.example.com:${port}/`)).toMatchObject({
    outcome: 'denied',
    reason: 'port',
  });
  expect(await request('http://both.example.com/')).toMatchObject({ outcome: 'denied', reason: 'address' });
  expect(await request(`http://127.0.0.2:${port}/`)).toMatchObject({ outcome: 'denied', reason: 'port' });
});

test('a name whose answer changes is connected to the address that was checked, and checked again each time', async () => {
  const hosts: string[] = [];
  const port = await serve((incoming, response) => {
    hosts.push(incoming.headers.host ?? '');
    response.end('public');
  });
  let internal = 0;
  await serve(
    (_incoming, response) => {
      internal++;
      response.end('internal');
    },
    '127.0.0.2',
    port,
  );
  let lookups = 0;
  const { egress, request } = open({
    allow: ['127.0.0.1/32'],
    resolve: async () => [{ address: lookups++ % 2 === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }],
  });
  const url = `http://shop.example.com:${port}/`;
  expect(await request(url)).toMatchObject({ outcome: 'answer', text: 'public' });
  expect(await request(url)).toMatchObject({ outcome: 'denied' });
  expect(await (await egress.fetch(url)).text()).toBe('public');
  await expect(egress.fetch(url)).rejects.toMatchObject({ name: 'EgressDeniedError' });
  expect(hosts).toEqual([`shop.example.com:${port}`, `shop.example.com:${port}`]);
  expect([lookups, internal]).toEqual([4, 0]);
});

test('no connection is used twice', async () => {
  const sockets = new Set<unknown>();
  const { egress, request, url } = await pair((incoming, response) => {
    sockets.add(incoming.socket);
    response.writeHead(200, { ...text, 'keep-alive': 'timeout=60' }).end('ok');
  });
  for (const tenantId of ['a', 'a', 'b']) {
    await (await egress.fetch(url)).text();
    await request(url, { tenantId });
  }
  expect(sockets.size).toBe(6);
});

test('a redirect is an outcome and is not followed', async () => {
  let hits = 0;
  const { egress, request, url } = await pair((_incoming, response) => {
    hits++;
    response.writeHead(307, { location: '/next' }).end();
  });
  expect(await request(url)).toMatchObject({ outcome: 'redirect', status: 307, location: '/next' });
  expect((await egress.fetch(url, { redirect: 'follow' })).status).toBe(307);
  expect(hits).toBe(2);
});

test('a body of 1 MB passes and one byte more does not', async () => {
  const { request, url } = await pair((incoming, response) => {
    response.writeHead(200, text).end('x'.repeat(MEGABYTE + (incoming.url === '/more' ? 1 : 0)));
  });
  const answer = await request(url);
  expect(answer.outcome === 'answer' && answer.text.length).toBe(MEGABYTE);
  expect(await request(`${url}/more`)).toMatchObject({ outcome: 'too-large', status: 200 });
});

test('an endless body is cut', async () => {
  const { request, url } = await pair((_incoming, response) => {
    response.writeHead(200, text);
    const pump = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', pump);
    pump();
  });
  expect(await request(url)).toMatchObject({ outcome: 'too-large' });
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const)('%s bodies are inflated, and cut by their inflated size', async (encoding, compress) => {
  const { request, url } = await pair((incoming, response) => {
    response.writeHead(200, { ...text, 'content-encoding': encoding });
    response.end(compress(incoming.url === '/bomb' ? Buffer.alloc(8 * MEGABYTE) : 'small'));
  });
  expect(await request(url)).toMatchObject({ outcome: 'answer', text: 'small' });
  expect(await request(`${url}/bomb`)).toMatchObject({ outcome: 'too-large' });
});

test('a broken or unknown encoding is an outcome', async () => {
  const { request, url } = await pair((incoming, response) => {
    response.writeHead(200, { ...text, 'content-encoding': incoming.url?.slice(1) }).end('not compressed');
  });
  expect(await request(`${url}/gzip`)).toMatchObject({
    outcome: 'network',
    message: 'The answer could not be read.',
  });
  expect(await request(`${url}/zip`)).toMatchObject({ outcome: 'content-type' });
});

test.each([
  ['application/json', 'answer'],
  ['application/problem+json; charset=utf-8', 'answer'],
  ['TEXT/CSV', 'answer'],
  ['image/png', 'content-type'],
  ['application/octet-stream', 'content-type'],
  ['application/jsonx', 'content-type'],
  ['multipart/mixed', 'content-type'],
])('an answer of type %s is %s', async (type, outcome) => {
  const { request, url } = await pair((_incoming, response) =>
    response.writeHead(200, { 'content-type': type }).end('1'),
  );
  expect(await request(url)).toMatchObject({ outcome });
});

test('HEAD and 204 have an empty answer whatever they say', async () => {
  const { request, url } = await pair((incoming, response) => {
    const headers = { 'content-type': 'image/png', 'content-encoding': 'gzip', 'content-length': '999' };
    if (incoming.method === 'HEAD') response.writeHead(200, headers).end();
    else response.writeHead(204).end();
  });
  expect(await request(url, { method: 'HEAD' })).toMatchObject({ outcome: 'answer', text: '' });
  expect(await request(url)).toMatchObject({ outcome: 'answer', status: 204, text: '' });
});

test('a silent address and a slow body run into the time limit', async () => {
  const { request, url } = await pair((incoming, response) => {
    if (incoming.url === '/body') response.writeHead(200, text).write('first');
  });
  expect(await request(url, { timeoutMs: 1_000 })).toMatchObject({ outcome: 'timeout', sent: true });
  expect(await request(`${url}/body`, { timeoutMs: 1_000 })).toMatchObject({
    outcome: 'timeout',
    answered: 200,
    sent: true,
  });
});

test('a name that does not resolve in time was never sent', async () => {
  const { request } = open({ allow: [], resolve: () => new Promise(() => {}) });
  expect(await request('http://slow.example.com/', { timeoutMs: 100 })).toMatchObject({
    outcome: 'timeout',
    sent: false,
  });
});

test('a connection takes 5 s at most, and greets with the name rather than the address', async () => {
  let hello = '';
  const port = await listen(
    createTcpServer((socket) => socket.on('data', (chunk) => (hello += chunk.toString('latin1')))),
  );
  const { request } = open({
    allow: ['127.0.0.1/32'],
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  expect(await request(`https://shop.example.com:${port}/`, { timeoutMs: 14_000 })).toEqual({
    outcome: 'timeout',
    sent: false,
    message: 'No connection within 5 s.',
  });
  expect(hello).toContain('shop.example.com');
  // By its length and name, as the list of protocols holds it: the keys beside it are random.
  expect(hello).not.toContain('\u0002h2');
});

test('a cancelled call ends at once, waiting or running', async () => {
  const arrivals = Promise.withResolvers<void>();
  let arrived = 0;
  const { request, url } = await pair(() => {
    if (++arrived === 4) arrivals.resolve();
  });
  const cancel = new AbortController();
  const calls = Array.from({ length: 6 }, () => request(url, { signal: cancel.signal, timeoutMs: 60_000 }));
  await arrivals.promise;
  cancel.abort();
  const outcomes = await Promise.all(calls);
  expect(outcomes.map((item) => item.outcome)).toEqual(Array.from({ length: 6 }, () => 'aborted'));
  expect(outcomes.filter((item) => 'sent' in item && item.sent)).toHaveLength(4);
  expect(await request(url, { signal: AbortSignal.abort() })).toMatchObject({
    outcome: 'aborted',
    sent: false,
  });
  expect(arrived).toBe(4);
});

test('a tenant has four calls on the way at once, in order, and never holds up another', async () => {
  const held: { url: string; response: ServerResponse }[] = [];
  let next = Promise.withResolvers<void>();
  const { request, url } = await pair((incoming, response) => {
    if (incoming.url === '/b') return void response.writeHead(200, text).end('b');
    held.push({ url: incoming.url ?? '', response });
    next.resolve();
  });
  const until = async (count: number) => {
    while (held.length < count) {
      next = Promise.withResolvers<void>();
      await next.promise;
    }
  };
  const calls = Array.from({ length: 7 }, (_, index) => request(`${url}/${index}`));
  await until(4);
  expect(await request(`${url}/b`, { tenantId: 'b' })).toMatchObject({ text: 'b' });
  expect(held).toHaveLength(4);
  for (let done = 0; done < 7; done++) {
    held[done]?.response.writeHead(200, text).end('a');
    await until(Math.min(7, done + 5));
    expect(held.length).toBeLessThanOrEqual(done + 5);
  }
  expect((await Promise.all(calls)).every(({ outcome }) => outcome === 'answer')).toBe(true);
  expect(held.slice(4).map((item) => item.url)).toEqual(['/4', '/5', '/6']);
});

test('the time limit of a call does not run while it waits for its turn', async () => {
  const held: ServerResponse[] = [];
  const arrivals = Promise.withResolvers<void>();
  const { request, url } = await pair((incoming, response) => {
    if (incoming.url === '/silent') return;
    if (held.length === 4) return void response.writeHead(200, text).end('in time');
    if (held.push(response) === 4) arrivals.resolve();
  });
  const others = Array.from({ length: 4 }, () => request(url, { timeoutMs: 60_000 }));
  await arrivals.promise;
  const waiting = request(url, { timeoutMs: 1_000 });
  const silent = request(`${url}/silent`, { tenantId: 'b', timeoutMs: 1_100 });
  expect(await silent).toMatchObject({ outcome: 'timeout' });
  held[0]?.writeHead(200, text).end('first');
  expect(await waiting).toMatchObject({ text: 'in time' });
  for (const response of held.slice(1)) response.writeHead(200, text).end();
  await Promise.all(others);
});

test.each([
  'Host',
  'content-length',
  'Transfer-Encoding',
  'connection',
  'Proxy-Authorization',
  'cookie',
  'a b',
  '',
])('the header %j cannot be set', async (name) => {
  const { request, url } = await pair((_incoming, response) => response.end());
  expect(await request(url, { headers: { [name]: 'x' } })).toMatchObject({
    outcome: 'denied',
    reason: 'header',
  });
});

test('a value with a line break never becomes a header', async () => {
  let hits = 0;
  const { request, url } = await pair((_incoming, response) => {
    hits++;
    response.end();
  });
  expect(await request(url, { headers: { 'X-A': 'a\r\nX-B: b' } })).toMatchObject({
    outcome: 'network',
    sent: false,
  });
  expect(hits).toBe(0);
});

test.each([
  [
    'a body cut short',
    'HTTP/1.1 200 OK\r\ncontent-length: 100\r\ncontent-type: text/plain\r\n\r\nshort',
    'The connection was closed',
  ],
  ['nonsense', 'nonsense', 'The answer is not valid HTTP.'],
  [
    'huge headers',
    `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`,
    'The headers of the answer are too large.',
  ],
  ['nothing', '', 'The connection'],
])('a far side that answers %s is a network outcome', async (_what, bytes, message) => {
  const port = await listen(createTcpServer((socket) => socket.once('data', () => socket.end(bytes))));
  const { request } = open({ allow: [`127.0.0.1:${port}`] });
  expect(await request(`http://127.0.0.1:${port}/`)).toMatchObject({
    outcome: 'network',
    message: expect.stringContaining(message),
  });
});

test('a closed port is a network outcome that was not sent', async () => {
  const { request } = open({ allow: ['127.0.0.1:1'] });
  expect(await request('http://127.0.0.1:1/')).toEqual({
    outcome: 'network',
    sent: false,
    message: 'The connection was refused.',
  });
});

test('fetch streams a body as it comes, beyond the cap of tools', async () => {
  const { egress, url } = await pair((incoming, response) => {
    response.writeHead(200, text).write('first');
    incoming.on('data', () => response.end('x'.repeat(3 * MEGABYTE)));
  });
  const response = await egress.fetch(url, { method: 'POST', body: 'go', headers: { 'x-a': 'a' } });
  let size = 0;
  for await (const chunk of response.body ?? []) size += chunk.length;
  expect(size).toBe(5 + 3 * MEGABYTE);
});

test('fetch is ended by its signal', async () => {
  const { egress, url } = await pair((_incoming, response) => response.writeHead(200, text).write('first'));
  const cancel = new AbortController();
  const response = await egress.fetch(url, { signal: cancel.signal });
  cancel.abort();
  await expect(response.text()).rejects.toThrow();
});
