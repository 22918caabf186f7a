import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { problemSchema } from '@parley/protocol/problem';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpServer, patience } from './server.ts';

test.each([
  ['head', 'POST / HTTP/1.1\r\nhost: x\r\n'],
  ['body', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{'],
])('a client that never sends the rest of its %s is told so, and cut off', async (_, sent) => {
  const server = createHttpServer({ headMs: 50, requestMs: 100, checkMs: 20 });
  onTestFinished(() => void server.close());
  server.on('request', (request) => request.on('error', () => undefined).resume());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(sent);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1.1 408 /);
  expect(problemSchema.safeParse(JSON.parse(body)).success).toBe(true);
});

test('the head of a request may take 10 s, all of it 30 s', () => {
  expect(patience).toEqual({ headMs: 10_000, requestMs: 30_000, checkMs: 5_000 });
});
