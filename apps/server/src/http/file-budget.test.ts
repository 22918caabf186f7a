import { request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { maxInlineFileBytes } from '@parley/protocol/bounds';
import { maxHeldFileBytes } from './file-budget.ts';
import { sharedService } from './testing/visitor.ts';

test('the files that are being sent have a maximum together, and leave room when their senders go', async () => {
  const service = await sharedService();
  const { publishable, visitor } = await service.agent([{ steps: [{ say: 'ok' }] }]);
  const content = Buffer.alloc(maxInlineFileBytes, 'A');
  const half = () => {
    const sent = httpRequest(`${service.url}/parley/v1/session`, {
      method: 'POST',
      headers: { authorization: `Bearer ${publishable.key}` },
    });
    sent.on('error', () => {});
    sent.write('{"message":[{"type":"file","mediaType":"image/png","data":"');
    sent.write(content);
    return sent;
  };
  const message = [{ type: 'file', mediaType: 'image/png', data: 'AAAA' }];
  const status = async () => (await visitor.post('', { message })).status;
  const senders = Array.from({ length: maxHeldFileBytes / maxInlineFileBytes }, half);
  await expect.poll(status, { timeout: 20_000 }).toBe(503);
  const refused = await visitor.post('', { message });
  expect(refused.body).toMatchObject({ code: 'UNAVAILABLE', retryAfter: 1 });
  expect((await visitor.post('', { message: 'without a file' })).status).toBe(202);
  for (const sender of senders) sender.destroy();
  await expect.poll(status, { timeout: 20_000 }).toBe(202);
});
