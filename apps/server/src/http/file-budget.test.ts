import { type ClientRequest, request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { maxInlineFileBytes } from '@parley/protocol/bounds';
import { maxHeldFileBytes } from './file-budget.ts';
import { sharedService } from './testing/visitor.ts';

const service = await sharedService();
const message = [{ type: 'file', mediaType: 'image/png', data: 'AAAA' }];

/** Requests that have sent as much of their files as all together may. */
function fillBudget(key: string): ClientRequest[] {
  const content = Buffer.alloc(maxInlineFileBytes, 'A');
  return Array.from({ length: maxHeldFileBytes / maxInlineFileBytes }, () => {
    const sent = httpRequest(`${service.url}/parley/v1/session`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
    });
    sent.on('error', () => {});
    sent.write('{"message":[{"type":"file","mediaType":"image/png","data":"');
    sent.write(content);
    return sent;
  });
}

test('the files that are being sent have a maximum together, and leave room when their senders go', async () => {
  const { publishable, visitor } = await service.agent([{ steps: [{ say: 'ok' }] }]);
  const status = async () => (await visitor.post('', { message })).status;
  const senders = fillBudget(publishable.key);
  await expect.poll(status, { timeout: 20_000 }).toBe(503);
  const refused = await visitor.post('', { message });
  expect(refused.body).toMatchObject({ code: 'UNAVAILABLE', retryAfter: 1 });
  expect((await visitor.post('', { message: 'without a file' })).status).toBe(202);
  for (const sender of senders) sender.destroy();
  await expect.poll(status, { timeout: 20_000 }).toBe(202);
});

test('a Chat reply that goes on holds nothing of the files it answers', async () => {
  const script = [
    { when: '^slow', steps: [{ say: 'Once upon' }, { wait: 3_000 }] },
    { steps: [{ say: 'ok' }] },
  ];
  const { publishable, visitor } = await service.agent(script);
  const status = async (data: string) =>
    (await visitor.post('', { message: [{ type: 'file', mediaType: 'image/png', data }] })).status;
  const [first, ...senders] = fillBudget(publishable.key);
  await expect.poll(() => status('AAAA'), { timeout: 20_000 }).toBe(503);
  first?.destroy();
  await expect.poll(() => status('AAAA'), { timeout: 20_000 }).toBe(202);

  const large = 'A'.repeat(12 * 1024 * 1024);
  const parts = [
    { type: 'text', text: 'slow' },
    { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${large}` },
  ];
  const reading = new AbortController();
  // oxlint-disable-next-line eslint/no-restricted-globals -- a test calls the service from outside
  const reply = await fetch(`${service.url}/api/v1/agent/chat`, {
    method: 'POST',
    headers: { ...visitor.headers, accept: 'text/event-stream' },
    body: JSON.stringify({ id: 'story', message: { id: 'm', role: 'user', parts } }),
    signal: reading.signal,
  });
  expect(reply.status).toBe(200);
  expect(await status('A'.repeat(8 * 1024 * 1024))).toBe(202);
  reading.abort();
  for (const sender of senders) sender.destroy();
});
