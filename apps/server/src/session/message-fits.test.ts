import { maxEventBytes } from '@parley/protocol/bounds';
import { expect, test } from 'vitest';
import { testService } from '../testing/test-service.ts';
import { Visitor } from '../testing/visitor.ts';

test('a message that the log could not take is refused before anything is stored', async () => {
  const service = await testService();
  const { id: tenantId } = (await service.settings('POST', '/tenants', { name: 'Firm' })).body;
  const model = { provider: 'scripted', script: [{ steps: [{ say: 'Heard.' }] }] };
  const { id: agentId } = (await service.settings('POST', '/agents', { tenantId, name: 'Ada', model })).body;
  const bound = { tenantId, agentId };
  const { key } = (await service.settings('POST', '/keys', { ...bound, kind: 'publishable' })).body;
  const secret = (await service.settings('POST', '/keys', { ...bound, kind: 'secret' })).body.key;
  const visitor = new Visitor(service.url, key);
  const file = (n: number) => ({
    type: 'file',
    mediaType: 'text/plain',
    filename: `${n}${'"'.repeat(250)}`,
    data: `https://files.example/${'x'.repeat(2_000)}`,
  });
  const controls = '\u0001'.repeat(19_000);
  const files = (count: number) => Array.from({ length: count }, (_, n) => file(n));

  const largest = await visitor.post('', { message: controls });
  expect(largest.status).toBe(202);
  const message = [{ type: 'text', text: controls }, ...files(31)];
  const refused = await visitor.post('', { message });
  expect(refused).toMatchObject({
    status: 400,
    body: { code: 'BAD_REQUEST', error: expect.stringContaining(String(maxEventBytes)) },
  });
  const followUp = { continuationToken: largest.body.continuationToken, message };
  expect((await visitor.post(`/${largest.body.sessionId}`, followUp)).status).toBe(400);
  const parts = [
    { type: 'text', text: controls },
    ...files(31).map(({ type, mediaType, filename, data }) => ({ type, mediaType, filename, url: data })),
  ];
  const chat = await service.call('/api/v1/agent/chat', {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'c', message: { id: 'm', role: 'user', parts } }),
  });
  expect(chat).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining(String(maxEventBytes)) },
  });
});
