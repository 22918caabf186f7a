import { expect, test } from 'vitest';
import { chatService } from '../../testing/chat-service.ts';

const service = await chatService();
const hours = { question: 'When are you open?', answer: 'We open at nine.', url: 'https://a.example/hours' };

async function agentWith(script: readonly unknown[], tools: readonly Record<string, unknown>[] = []) {
  const agent = await service.agent(script, { tools });
  const path = `/agents/${agent.agentId}`;
  const ask = (of: string, question: string, signal?: AbortSignal) =>
    service.settings('POST', `${path}/try`, { question, of }, signal);
  return { ...agent, path, ask };
}

test('the draft answers beside what is live, with its sources, and nothing of it is a conversation', async () => {
  const agent = await agentWith([{ steps: [{ say: 'Hello from live.' }] }]);
  const { agentId, tenantId, path } = agent;
  await service.settings('POST', '/sources', { agentId, kind: 'faq', name: 'Shop', entries: [hours] });
  const draft = { model: { provider: 'quoting' } };
  expect((await service.settings('PATCH', `${path}/draft`, draft)).status).toBe(200);
  expect(await agent.ask('live', 'When do you open?')).toMatchObject({
    status: 200,
    body: { status: 'completed', text: 'Hello from live.', sources: [], modelId: 'scripted', tokens: 7 },
  });
  const { body } = await agent.ask('draft', 'When do you open?');
  expect(body).toMatchObject({
    status: 'completed',
    modelId: 'quoting',
    sources: [{ number: 1, url: hours.url }],
  });
  expect(body.text).toContain('We open at nine. [1]');
  await agent.ask('draft', 'Where are the elephants?');
  expect((await service.settings('GET', `/conversations?tenantId=${tenantId}`)).body.items).toEqual([]);
  expect((await service.settings('GET', `/usage?tenantId=${tenantId}`)).body.days).toEqual([]);
  expect((await service.settings('GET', `${path}/questions`)).body.items).toEqual([]);
  expect((await service.settings('GET', '/audit')).body.items[0]).toMatchObject({ action: 'tested' });
});

test('what must not be repeated is not offered, and what goes wrong is said', async () => {
  const script = [
    { when: 'refund', steps: [{ call: 'refund', input: {} }] },
    { when: 'look', steps: [{ call: 'look', input: {} }, { say: 'It says {{result}}.' }] },
    { steps: [{ fail: 'It is down.' }] },
  ];
  const get = { request: { method: 'GET', url: `${service.endpoint.url}/look` } };
  const agent = await agentWith(script, [{ name: 'refund' }, { name: 'look', ...get }]);
  service.endpoint.answers('/look', 'sunny');
  expect((await agent.ask('live', 'refund, please')).body.text).toContain('I cannot use refund here');
  expect((await agent.ask('live', 'look')).body.text).toBe('It says sunny.');
  expect((await agent.ask('live', 'x')).body).toMatchObject({
    status: 'failed',
    text: expect.stringContaining('could not answer'),
  });
  expect((await agent.ask('nobody', 'x')).status).toBe(400);
});

test('who leaves ends what was asked', async () => {
  const held = { name: 'slow', request: { method: 'GET', url: `${service.endpoint.url}/slow` } };
  const agent = await agentWith([{ steps: [{ call: 'slow', input: {} }, { say: 'x' }] }], [held]);
  const leaving = new AbortController();
  const asking = agent.ask('live', 'x', leaving.signal);
  const call = await service.endpoint.call('/slow');
  leaving.abort();
  await expect(asking).rejects.toThrow();
  await call.closed;
});

test('saved questions apply at once, and are no change that a draft or a revision has', async () => {
  const { path } = await agentWith([]);
  const savedQuestions = ['When do you open?', 'Do you deliver?'];
  const { body } = await service.settings('PATCH', path, { savedQuestions });
  expect(body).toMatchObject({ savedQuestions, revision: 1 });
  expect((await service.settings('GET', `${path}/draft`)).body).toMatchObject({
    changes: [],
    agent: { savedQuestions },
  });
  const many = Array.from({ length: 21 }, () => 'x');
  expect((await service.settings('PATCH', path, { savedQuestions: many })).status).toBe(400);
});
