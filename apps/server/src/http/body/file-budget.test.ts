import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { maxInlineFileBytes } from '@parley/protocol/bounds';
import { maxHeldFileBytes, maxHeldPerAddress } from './file-budget.ts';
import { chatPath } from '../../testing/chat-service.ts';
import { type Reader, sharedService } from '../../testing/visitor.ts';

const service = await sharedService();
const perAddress = maxHeldPerAddress / maxInlineFileBytes;
const small = [{ type: 'file', mediaType: 'image/png', data: 'AAAA' }];

/** One key, from any address of this machine. */
function sender(key: string) {
  const begin = (localAddress: string): ClientRequest => {
    const headers = { authorization: `Bearer ${key}` };
    const sent = httpRequest(`${service.url}/parley/v1/session`, { method: 'POST', headers, localAddress });
    return sent.on('error', () => {});
  };
  return {
    /** Sends the largest content, and never the end of the request; again when a small request had the room just then. */
    hold: (localAddress: string): { destroy(): void } => {
      let sent: ClientRequest;
      const start = () => {
        sent = begin(localAddress).once('response', start);
        sent.write('{"message":[{"type":"file","mediaType":"image/png","data":"');
        sent.write(Buffer.alloc(maxInlineFileBytes, 'A'));
      };
      start();
      return { destroy: () => sent.destroy() };
    },
    send: async (localAddress: string, message: unknown) => {
      const sent = begin(localAddress).end(JSON.stringify({ message }));
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      return { status: response.statusCode, body: await json(response) };
    },
  };
}

test('the files that are being sent have a maximum together, and leave room when their senders go', async () => {
  const { publishable } = await service.agent([{ steps: [{ say: 'ok' }] }]);
  const { hold, send } = sender(publishable.key);
  const status = async () => (await send('127.0.0.1', small)).status;
  const addresses = Array.from(
    { length: maxHeldFileBytes / maxInlineFileBytes },
    (_, index) => `127.0.1.${1 + Math.floor(index / perAddress)}`,
  );
  const senders = addresses.map(hold);
  await expect.poll(status, { timeout: 50_000 }).toBe(503);
  const refused = await send('127.0.0.1', small);
  expect(refused.body).toMatchObject({ code: 'UNAVAILABLE', retryAfter: 1 });
  expect((await send('127.0.0.1', 'without a file')).status).toBe(202);
  for (const sent of senders) sent.destroy();
  await expect.poll(status, { timeout: 50_000 }).toBe(202);
});

test('one address cannot take the room for files of all others', async () => {
  const { publishable } = await service.agent([{ steps: [{ say: 'ok' }] }]);
  const { hold, send } = sender(publishable.key);
  const senders = Array.from({ length: perAddress }, () => hold('127.0.2.1'));
  await expect.poll(async () => (await send('127.0.2.1', small)).status, { timeout: 50_000 }).toBe(503);
  expect((await send('127.0.2.2', small)).status).toBe(202);
  for (const sent of senders) sent.destroy();
});

test('a reply takes no room for files while its turn runs', async () => {
  const { secret } = await service.agent([{ steps: [{ say: 'Well. ' }, { wait: 4_000 }, { say: 'Nice.' }] }]);
  const url = `data:image/png;base64,${'A'.repeat(13_900_000)}`;
  const parts = [
    { type: 'text', text: 'Look' },
    { type: 'file', mediaType: 'image/png', url },
  ];
  const controller = new AbortController();
  /** The client cancels what nobody holds. */
  const replies: Response[] = [];
  for (let n = 0; n <= perAddress; n += 1) {
    const body = JSON.stringify({ id: `conversation_${n}`, message: { id: 'm', role: 'user', parts } });
    // oxlint-disable-next-line eslint/no-restricted-globals -- a test calls the service from outside
    const reply = await fetch(service.url + chatPath, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret.key}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body,
      signal: controller.signal,
    });
    replies.push(reply);
    expect(reply.status).toBe(200);
  }
  expect(replies.every(({ body }) => body?.locked === false)).toBe(true);
  controller.abort();
});

test('neither does the stream that a message is answered with', async () => {
  const { visitor } = await service.agent([{ steps: [{ say: 'Nice.' }] }]);
  const parts = [{ type: 'file', mediaType: 'image/png', data: 'A'.repeat(13_900_000) }];
  const open: Reader[] = [];
  for (let n = 0; n <= perAddress; n += 1) open.push(await visitor.stream('', { message: parts }));
  expect(open.map(({ response }) => response.status)).toEqual(open.map(() => 202));
  const session = await visitor.start('Hello');
  for (let n = 0; n <= perAddress; n += 1) open.push(await session.stream({ message: parts }));
  expect(open.map(({ response }) => response.ok)).toEqual(open.map(() => true));
  for (const reader of open) reader.close();
});
