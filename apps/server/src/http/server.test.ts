import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { problemSchema } from '@parley/protocol/problem';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLogger } from '../logger.ts';
import { Connections } from './connection/connections.ts';
import { inPipelineOrder } from './connection/in-pipeline-order.ts';
import { serverTimeouts } from './connection/server-timeouts.ts';
import { createHttpServer } from './server.ts';

const brisk = { ...serverTimeouts, bodyMs: 100, checkMs: 20, lingerMs: 50 };
/** Long enough for a busy machine to read what was sent, and to take an answer before the connection is reset. */
const busyMs = 1_000;
const unlimited = { maxConnections: 1_000, maxConnectionsPerAddress: 1_000 };
const healthz = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';

/** A server, and clients that close nothing by themselves: a connection is over only when the server destroys it. */
async function listening(listener: RequestListener, timeouts = brisk, limits = unlimited) {
  const log: string[] = [];
  const logger = createLogger('warn', { write: (line) => void log.push(line) });
  const connections = new Connections(limits, timeouts, logger);
  const server = createHttpServer(timeouts, connections);
  server.on('request', listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const clients: Socket[] = [];
  onTestFinished(() => {
    for (const client of clients) client.destroy();
    server.close();
    server.closeAllConnections();
  });
  return {
    connections,
    log,
    connect: async (localAddress = '127.0.0.1') => {
      const { port } = server.address() as AddressInfo;
      const client = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
      clients.push(client);
      client.on('error', () => undefined);
      const dropped = once(server, 'drop').then(() =>
        Promise.reject(new Error('The connection was dropped.')),
      );
      const [socket] = (await Promise.race([once(server, 'connection'), dropped])) as [Socket];
      const destroyed = socket.destroyed ? Promise.resolve() : once(socket, 'close');
      return { client, socket, destroyed };
    },
  };
}

const dropBody: RequestListener = (request) => void request.on('error', () => undefined).resume();

test.each([
  ['head', 'POST / HTTP/1.1\r\nhost: x\r\n'],
  ['body', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{'],
  ['chunks', 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n'],
])('a client that never sends the rest of its %s is told so, and cut off', async (_, sent) => {
  const timeouts = { ...brisk, headMs: busyMs, bodyMs: 250, lingerMs: 250 };
  const { connect, connections } = await listening(dropBody, timeouts);
  const { client, destroyed } = await connect();
  client.write(sent);
  const [head = '', body = ''] = (await text(client)).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1.1 408 /);
  expect(problemSchema.safeParse(JSON.parse(body)).success).toBe(true);
  await destroyed;
  expect(connections.status()).toMatchObject({ open: 0, timedOut: 1 });
});

test('a client that sends its body a little at a time is cut off when the whole takes too long, not before', async () => {
  const advance = stubClock();
  let received = 0;
  const { connect, connections } = await listening(
    (request) => void request.on('error', () => undefined).on('data', (chunk) => (received += chunk.length)),
    { ...serverTimeouts, requestMs: 3_000, headMs: 1_000, checkMs: 100 },
  );
  const { client, destroyed } = await connect();
  client.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n');
  for (let sent = 1; sent <= 10; sent += 1) {
    client.write('x');
    while (received < sent) await setTimeout(1);
    advance(20_000);
  }
  expect(connections.status()).toMatchObject({ open: 1, timedOut: 0 });
  await destroyed;
  expect(connections.status()).toMatchObject({ open: 0, timedOut: 1 });
});

test('a client that promises a body and never sends it is cut off', async () => {
  const { connect } = await listening(dropBody);
  const { client, destroyed } = await connect();
  client.write('POST / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n');
  expect(await text(client)).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 408 /);
  await destroyed;
});

test('a client that sends nothing is cut off without a word', async () => {
  const { connect, connections } = await listening(dropBody, { ...brisk, headMs: 50 });
  const { client, destroyed } = await connect();
  expect(await text(client)).toBe('');
  await destroyed;
  expect(connections.status()).toMatchObject({ open: 0, timedOut: 1 });
});

test('a client whose request was answered early, and who sends its body for ever, is cut off', async () => {
  const { connect } = await listening((_request, response) => void response.writeHead(401).end());
  const { client, destroyed } = await connect();
  client.write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
  const sending = setInterval(() => client.write('1\r\nx\r\n'), 5);
  const answers = await text(client).catch(() => '');
  await destroyed;
  clearInterval(sending);
  expect(answers.match(/HTTP\/1.1 \d+/g) ?? []).not.toContain('HTTP/1.1 408');
});

test.each([
  ['no HTTP', 'HELLO\r\n\r\n', 400],
  ['a header of 20 kB', `GET / HTTP/1.1\r\nhost: x\r\nx-large: ${'a'.repeat(20_000)}`, 431],
])(
  'a client that keeps sending after %s was refused gets its answer, and is cut off',
  async (_, sent, status) => {
    const { connect } = await listening(dropBody, { ...brisk, lingerMs: busyMs });
    const { client, destroyed } = await connect();
    client.write(sent);
    const sending = setInterval(() => client.write('a'.repeat(10_000)), 1);
    const answer = text(client);
    await destroyed;
    clearInterval(sending);
    client.destroy();
    expect(await answer.catch(String)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  },
);

test('a client that is not done sending when it is refused is not reset, and reads why', async () => {
  const { connect } = await listening(dropBody, serverTimeouts);
  const { client, destroyed } = await connect();
  const errors: Error[] = [];
  client.on('error', (error) => errors.push(error));
  client.write('HELLO\r\n\r\n');
  const answer = text(client);
  for (let piece = 0; piece < 20; piece += 1) {
    await new Promise((resolve) => client.write('a'.repeat(10_000), resolve));
    await setTimeout(1);
  }
  client.end();
  expect(await answer).toMatch(/^HTTP\/1.1 400 /);
  await destroyed;
  expect(errors).toEqual([]);
});

test('a client that begins a request during a response and never ends it gets no second answer into the first', async () => {
  const timeouts = { ...brisk, headMs: busyMs };
  const { connect } = await listening((_request, response) => void response.write('first'), timeouts);
  const { client, destroyed } = await connect();
  client.write(`${healthz}GET /heal`);
  const received: Buffer[] = [];
  client.on('data', (chunk) => received.push(chunk));
  await destroyed;
  expect(String(Buffer.concat(received)).match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200']);
});

test.each([
  ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n\r\n', ''],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'HTTP/1.1 400 Bad Request'],
  ['HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n', 'HTTP/1.1 200 OK'],
  [
    'an upgrade',
    'GET / HTTP/1.1\r\nhost: x\r\nconnection: close, upgrade\r\nupgrade: websocket\r\n\r\n',
    'HTTP/1.1 200 OK',
  ],
])('%s leaves no connection behind', async (_, sent, answered) => {
  const { connect } = await listening((_request, response) => void response.end('ok'));
  const { client, destroyed } = await connect();
  client.write(sent);
  const answer = await text(client).catch(() => '');
  expect(answer.split('\r\n')[0]).toBe(answered);
  await destroyed;
});

/** A clock that the test moves, for the checks of the server; sockets are real. */
function stubClock() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  return (ms: number) => vi.advanceTimersByTime(ms);
}

/** More than the kernel keeps for a client that does not read. */
const large = Buffer.alloc(48 * 1024 * 1024, 'x');

test('a response of which its client takes nothing for 30 s is cut', async () => {
  const advance = stubClock();
  const { connect, connections } = await listening(
    (_request, response) => void response.end(large),
    serverTimeouts,
  );
  const { client, socket, destroyed } = await connect();
  client.pause().write(healthz);
  while (socket.writableLength === 0) await setTimeout(1);
  advance(30_000);
  expect(socket.destroyed).toBe(false);
  // Until the kernel's buffers are full the client seems to take something.
  while (!socket.destroyed) {
    await setTimeout(1);
    advance(32_000);
  }
  await destroyed;
  expect(connections.status()).toMatchObject({ open: 0, stuck: 1 });
});

test('a response of which its client takes a little now and then is not cut', async () => {
  const advance = stubClock();
  const { connect, connections } = await listening(
    (_request, response) => void response.end(large),
    serverTimeouts,
  );
  const { client } = await connect();
  client.write(healthz);
  let taken = 0;
  client.on('data', (chunk) => {
    taken += chunk.length;
    client.pause();
  });
  while (taken < large.length) {
    const before = taken;
    client.resume();
    while (taken < Math.min(before + 4 * 1024 * 1024, large.length)) {
      await setTimeout(1);
      client.resume();
    }
    advance(10_000);
  }
  expect(connections.status()).toMatchObject({ stuck: 0 });
});

test('a response that has nothing to send waits as long as it must', async () => {
  const advance = stubClock();
  const { connect, connections } = await listening(
    (_request, response) => void response.write('\n'),
    serverTimeouts,
  );
  const { client } = await connect();
  client.write(healthz);
  await once(client, 'data');
  advance(3_600_000);
  expect(connections.status()).toMatchObject({ open: 1, stuck: 0 });
});

test('an address has so many connections and no more, whatever others have', async () => {
  const limits = { maxConnections: 10, maxConnectionsPerAddress: 2 };
  const advance = stubClock();
  const { connect, connections, log } = await listening(dropBody, serverTimeouts, limits);
  const first = await connect();
  await connect();
  const third = await connect();
  expect(third.socket.destroyed).toBe(true);
  await connect('127.0.0.2');
  expect(connections.status()).toMatchObject({ open: 3, accepted: 3, dropped: 1 });
  first.client.destroy();
  await first.destroyed;
  expect((await connect()).socket.destroyed).toBe(false);

  await connect();
  advance(serverTimeouts.checkMs);
  await connect();
  advance(30_000);
  expect(log).toHaveLength(1);
  expect(JSON.parse(log[0]!).connections.dropped).toBe(2);
  advance(30_000);
  expect(log).toHaveLength(2);
});

test('the connections of the whole process are bounded, and what is over is counted', async () => {
  const limits = { maxConnections: 1, maxConnectionsPerAddress: 10 };
  const { connect, connections } = await listening(dropBody, serverTimeouts, limits);
  await connect();
  await expect(connect()).rejects.toThrow('dropped');
  expect(connections.status()).toMatchObject({ open: 1, accepted: 1, dropped: 1 });
});

test('of requests that come at once on one connection, one is worked on at a time, in their order', async () => {
  let begun = 0;
  const body = large.subarray(0, 8 * 1024 * 1024);
  const listener = inPipelineOrder((_request, response) => {
    begun += 1;
    response.end(body);
  });
  const { connect } = await listening(listener, serverTimeouts);
  const { client, socket } = await connect();
  client.pause().write(healthz.repeat(20));
  while (socket.writableLength === 0) await setTimeout(1);
  expect(begun).toBeLessThan(4);
  let received = 0;
  client.on('data', (chunk) => (received += chunk.length));
  client.resume();
  while (received < 20 * body.length) await once(client, 'data');
  expect(begun).toBe(20);
});

test('a client that sends requests without end and awaits no response is cut off', async () => {
  const { connect } = await listening(
    inPipelineOrder(() => undefined),
    serverTimeouts,
  );
  const { client, destroyed } = await connect();
  client.write(healthz.repeat(200));
  await destroyed;
});

test('a head may take 10 s, a request 120 s, and a body or a response 30 s without progress', () => {
  const { headMs, bodyMs, requestMs, writeMs } = serverTimeouts;
  expect({ headMs, bodyMs, requestMs, writeMs }).toEqual({
    headMs: 10_000,
    bodyMs: 30_000,
    requestMs: 120_000,
    writeMs: 30_000,
  });
});
