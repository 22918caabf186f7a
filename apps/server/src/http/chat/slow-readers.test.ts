import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import {
  chatPath,
  chatService,
  chunksOf,
  eventStream,
  plainText,
  textOf,
} from '../../testing/chat-service.ts';
import { longReply } from '../../testing/long-reply.ts';
import { serverTimeouts } from '../connection/server-timeouts.ts';

const service = await chatService();
const brisk = await chatService({}, { ...serverTimeouts, writeMs: 20, checkMs: 10 });

test.each([
  ['event stream', eventStream, (body: string) => textOf(chunksOf(body))],
  ['plain text', plainText, (body: string) => body],
])('%s: a reader that is slower than the reply gets all of it', async (_, mode, read) => {
  const { script, text } = longReply(20);
  service.endpoint.answers('/pause', 'on');
  const agent = await service.agent([{ when: 'long', steps: script }, { steps: [{ say: 'ok' }] }], {
    agent: { maxSteps: 100, contextTokens: 100_000_000 },
    tools: [{ name: 'pause' }],
  });
  const response = await agent.post({ id: 'c', text: 'long' }, mode);
  // The conversation is free again when the whole reply is in the log, although nobody has read it yet.
  expect((await agent.ask('c', 'next')).body.text).toBe('ok');
  expect(read(await response.text()) === text).toBe(true);
});

test.each([
  ['event stream', eventStream],
  ['plain text', plainText],
  ['JSON', { accept: 'application/json' }],
])('%s: a reader that takes nothing is cut off', async (_, { accept }) => {
  brisk.endpoint.answers('/pause', 'on');
  const agent = await brisk.agent([{ steps: longReply(30).script }], {
    agent: { maxSteps: 100, contextTokens: 100_000_000 },
    tools: [{ name: 'pause' }],
  });
  const body = JSON.stringify({ id: 'c', text: 'long' });
  const socket = connect(Number(new URL(brisk.url).port), '127.0.0.1').pause();
  const cut = once(socket, 'error');
  const head = [
    `POST ${chatPath} HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${agent.secret.key}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `accept: ${accept}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  // It learns of it when it next sends something: line ends between requests mean nothing.
  const asking = setInterval(() => socket.write('\r\n'), 200);
  await cut;
  clearInterval(asking);
});
