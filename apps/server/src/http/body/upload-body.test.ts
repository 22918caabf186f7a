import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { fileChunkBytes } from '../../store/file-store.ts';
import { createLogger } from '../../logger.ts';
import { Connections } from '../connection/connections.ts';
import { type ServerTimeouts, serverTimeouts } from '../connection/server-timeouts.ts';
import { createHttpServer } from '../server.ts';
import { uploadBody } from './upload-body.ts';

/** A server that reads one upload, and what came of it. */
async function receive(timeouts: Partial<ServerTimeouts> = {}, reject = () => {}) {
  const outcome = Promise.withResolvers<number[] | Error>();
  const limits = { maxConnections: 100, maxConnectionsPerAddress: 100 };
  const times = { ...serverTimeouts, ...timeouts };
  const connections = new Connections(limits, times, createLogger('silent'));
  const server = createHttpServer(times, connections);
  server.on('request', async (incoming, response) => {
    const sizes: number[] = [];
    try {
      for await (const chunk of uploadBody(incoming, reject)) sizes.push(chunk.length);
      outcome.resolve(sizes);
    } catch (error) {
      outcome.resolve(error as Error);
    }
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const send = (length: number) =>
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`);
  return { socket, send, outcome: outcome.promise };
}

/** Long enough for a busy machine to read the head, without which there is no upload. */
const hurried = { headMs: 1_000, requestMs: 1_000, checkMs: 10 };

test('every chunk but the last is as long as the others, however the bytes come', async () => {
  const { socket, send, outcome } = await receive();
  const bytes = Buffer.alloc(2 * fileChunkBytes + 5);
  send(bytes.length);
  for (const [from, to] of [
    [0, 1],
    [1, fileChunkBytes + 7],
    [fileChunkBytes + 7, bytes.length],
  ])
    socket.write(bytes.subarray(from, to));
  expect(await outcome).toEqual([fileChunkBytes, fileChunkBytes, 5]);
});

test('an upload that takes longer than it may ends, and its client is cut off', async () => {
  const { socket, send, outcome } = await receive(hurried);
  send(2);
  socket.write('a');
  const closed = once(socket, 'close');
  expect(await outcome).toMatchObject({ message: 'The file was not sent completely.' });
  socket.resume();
  await closed;
});

test('what comes after a refusal is dropped, and not for ever', async () => {
  const { socket, send, outcome } = await receive(hurried, () => {
    throw new Error('Too large.');
  });
  send(2);
  socket.write('a');
  const closed = once(socket, 'close');
  expect(await outcome).toMatchObject({ message: 'Too large.' });
  socket.resume();
  await closed;
});

test('what a whole upload is refused for is said, not that it broke off', async () => {
  const empty = await receive();
  empty.send(0);
  expect(await empty.outcome).toMatchObject({ message: 'The file has no bytes.' });
});
