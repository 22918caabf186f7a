import { expect, test } from 'vitest';
import { chatService, eventStream } from '../../testing/chat-service.ts';
import { Visitor, dataOf } from '../../testing/visitor.ts';

const service = await chatService();
const cause = {
  code: 'MODEL_NOT_ALLOWED',
  message: expect.stringMatching(/10\.0\.0\.1.*EGRESS_ALLOW=10\.0\.0\.1:8080\b/),
};
const model = {
  provider: 'openai-compatible',
  model: 'm',
  baseUrl: 'http://10.0.0.1:8080/v1',
  apiKey: 'canary-key',
};

test('whoever has the secret key is told why the model could not answer, a visitor is not', async () => {
  const agent = await service.agent([], { agent: { model } });
  const { key } = await agent.key('publishable');

  const told = await agent.ask('c', 'Hello');
  expect(told.status).toBe(502);
  expect(told.body).toMatchObject({ code: 'MODEL_FAILED', cause });
  expect((await agent.ask('c', 'Hello', eventStream)).body).toMatchObject({ cause });
  const visitors = await agent.ask('c', 'Hello', { key });
  expect(visitors.status).toBe(502);
  expect(visitors.body).toMatchObject({ code: 'MODEL_FAILED' });
  expect(visitors.body).not.toHaveProperty('cause');

  const own = await new Visitor(service.url, agent.secret.key).start('Hello');
  for (const type of ['step.failed', 'turn.failed'] as const)
    expect(dataOf(await own.log(1), type)).toMatchObject([{ code: 'MODEL_CALL_FAILED', details: { cause } }]);
  const session = await new Visitor(service.url, key).start('Hello');
  const reader = await session.follow();
  await reader.boundaries(1);
  expect(dataOf(reader.events, 'turn.failed')).toEqual([
    expect.objectContaining({ details: { errorId: expect.stringMatching(/./) } }),
  ]);
  expect(reader.text).not.toMatch(/10\.0\.0\.1|EGRESS/);
  reader.close();
});
