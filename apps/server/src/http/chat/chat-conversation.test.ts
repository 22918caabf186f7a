import { transcriptSchema } from '@parley/protocol/session-responses';
import { expect, test } from 'vitest';
import { chatPath, chatService } from '../../testing/chat-service.ts';
import { request } from '../../testing/test-service.ts';

const service = await chatService();
const agent = await service.agent([
  { when: 'my name is (\\w+)', steps: [{ say: 'Hello {{1}}.' }] },
  { steps: [{ say: 'You are {{recall:my name is (\\w+)}}.' }] },
]);
const publishable = (await agent.key('publishable')).key;

const on = (method: string, id: string, { key = agent.secret.key, query = '' } = {}) =>
  request(`${service.url}${chatPath}/${encodeURIComponent(id)}${query}`, {
    method,
    headers: { authorization: `Bearer ${key}` },
  });

test('a server reads its conversation, as events or as text, and nobody else’s', async () => {
  await agent.ask('ticket/1', 'my name is Ada');
  await agent.ask('ticket/1', 'who am I', { key: publishable });
  const read = await on('GET', 'ticket/1');
  expect(read.status).toBe(200);
  const { events, ...head } = transcriptSchema.parse(read.body);
  expect(head).toMatchObject({ agentName: 'Ada', status: 'open' });
  expect(events.filter(({ type }) => type === 'message.received')).toHaveLength(1);
  const lines = String((await on('GET', 'ticket/1', { query: '?format=ndjson' })).body)
    .trim()
    .split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(read.body.events);
  const text = String((await on('GET', 'ticket/1', { query: '?format=text' })).body);
  expect(text).toContain('my name is Ada');
  expect(text).toContain('Hello Ada.');
  const { key: foreign } = (await service.agent([])).secret;
  expect((await on('GET', 'ticket/1', { key: foreign })).body).toMatchObject({ code: 'NOT_FOUND' });
  for (const method of ['GET', 'DELETE']) {
    const refused = await on(method, 'ticket/1', { key: publishable });
    expect(refused.body).toMatchObject({ code: 'FORBIDDEN', error: expect.stringContaining('secret key') });
  }
});

test('a deleted conversation is gone, and its id begins another', async () => {
  await agent.ask('c', 'my name is Ada');
  const deleted = await on('DELETE', 'c');
  expect([deleted.status, deleted.body]).toEqual([200, { ok: true, id: 'c', status: 'deleted' }]);
  for (const method of ['GET', 'DELETE']) expect((await on(method, 'c')).status).toBe(404);
  expect((await agent.ask('c', 'who am I')).body.text).toBe('You are nothing.');
});

test('a server is told the tokens of its turn, all steps together; a page is not', async () => {
  const usage = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens });
  const { body } = await agent.ask('usage', 'my name is Ada');
  const { events } = transcriptSchema.parse((await on('GET', 'usage')).body);
  const step = events.find((event) => event.type === 'step.completed')?.data;
  expect(body).toEqual({ id: 'usage', text: 'Hello Ada.', usage: step?.usage });
  expect(body.usage).toEqual(usage(expect.any(Number), expect.any(Number)));
  expect(body.usage.outputTokens).toBeGreaterThan(0);
  const tools = await service.agent(
    [{ steps: [{ call: 'get_weather', input: {} }, { say: 'Rain it is.' }] }],
    { tools: [{ name: 'get_weather' }] },
  );
  service.endpoint.answers('/get_weather', {});
  const { key } = tools.secret;
  const answer = (await tools.ask('two steps', 'weather')).body;
  const both = transcriptSchema
    .parse((await on('GET', 'two steps', { key })).body)
    .events.flatMap((event) =>
      event.type === 'step.completed' && event.data.usage ? [event.data.usage] : [],
    );
  expect(both).toHaveLength(2);
  const sum = (of: 'inputTokens' | 'outputTokens') => both.reduce((all, each) => all + (each[of] ?? 0), 0);
  expect(answer.usage).toEqual(usage(sum('inputTokens'), sum('outputTokens')));
  expect((await agent.ask('page', 'hi', { key: publishable })).body).toEqual({
    id: 'page',
    text: 'You are nothing.',
  });
});

test('a secret key has the turns a minute of its setting, and every other key 60', async () => {
  const { key, turnsPerMinute } = await agent.key('secret', { turnsPerMinute: 2 });
  expect(turnsPerMinute).toBe(2);
  for (const text of ['one', 'two']) expect((await agent.ask('few', text, { key })).status).toBe(200);
  const third = await agent.ask('few', 'three', { key });
  expect(third.body).toMatchObject({
    code: 'RATE_LIMITED',
    error: expect.stringContaining('More than 2 turns'),
  });
  expect(third.headers.get('ratelimit-policy')).toBe('"turns";q=2;w=60');
  const path = `/keys/${agent.secret.id}`;
  const patched = async (value: number | null) =>
    (await service.settings('PATCH', path, { turnsPerMinute: value })).body.turnsPerMinute;
  expect([await patched(600), await patched(null)]).toEqual([600, 60]);
  const refused = await service.settings('POST', '/keys', {
    tenantId: agent.tenantId,
    agentId: agent.agentId,
    kind: 'publishable',
    turnsPerMinute: 600,
  });
  expect(refused.body.issues).toEqual([
    { path: ['turnsPerMinute'], message: 'A publishable key has 60 turns a minute.' },
  ]);
});
