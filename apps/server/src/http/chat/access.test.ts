import { afterEach, expect, test, vi } from 'vitest';
import { createKey } from '../../auth/create-key.ts';
import { chatPath, chatService, chunksOf, eventStream, textOf } from '../../testing/chat-service.ts';

const service = await chatService({}, undefined, () => Date.now());
const echo = [{ steps: [{ say: '{{input}}' }] }];

afterEach(() => void vi.useRealTimers());

const problem = (code: string) => ({
  ok: false,
  code,
  error: expect.stringMatching(/./),
  requestId: expect.stringMatching(/./),
});

test.each([
  ['no key', {}],
  ['another scheme', { authorization: 'Basic YTpi' }],
  ['an unknown key', { authorization: `Bearer ${createKey('secret')}` }],
  ['something else', { authorization: 'Bearer hello' }],
])('%s is 401', async (_, headers: Record<string, string>) => {
  // oxlint-disable-next-line eslint/no-restricted-globals -- a test calls the service from outside
  const response = await fetch(service.url + chatPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ id: 'c', text: 'hi' }),
  });
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
  expect(await response.json()).toEqual(problem('UNAUTHORIZED'));
});

test('a regenerated key takes over at once, and a deleted one is unknown', async () => {
  const agent = await service.agent(echo);
  expect((await agent.ask('c', 'hi')).status).toBe(200);
  const renewed = await service.settings('POST', `/keys/${agent.secret.id}/regenerate`);
  expect((await agent.ask('c', 'hi')).status).toBe(401);
  expect((await agent.ask('c', 'hi', { key: renewed.body.key })).status).toBe(200);
  await service.settings('DELETE', `/keys/${agent.secret.id}`);
  expect((await agent.ask('c', 'hi', { key: renewed.body.key })).status).toBe(401);
});

test('a key without agent is 403', async () => {
  const agent = await service.agent(echo);
  await service.settings('PATCH', `/keys/${agent.secret.id}`, { agentId: null });
  const answer = await agent.ask('c', 'hi');
  expect(answer.status).toBe(403);
  expect(answer.body).toEqual(problem('NO_AGENT'));
});

test('an inactive agent is 404, for a new turn and for Resume', async () => {
  const agent = await service.agent(echo);
  await service.settings('PATCH', `/agents/${agent.agentId}`, { active: false });
  for (const answer of [await agent.ask('c', 'hi'), await agent.resume('c')]) {
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual(problem('AGENT_INACTIVE'));
  }
  await service.settings('PATCH', `/agents/${agent.agentId}`, { active: true });
  expect((await agent.ask('c', 'hi')).status).toBe(200);
});

test('a publishable key is accepted, and only pages of its origins may read the answer', async () => {
  const agent = await service.agent(echo);
  const shop = 'https://shop.example';
  const { key } = await agent.key('publishable', { allowedOrigins: [shop] });
  expect((await agent.ask('c', 'hi', { key })).body).toMatchObject({ id: 'c', text: 'hi' });
  for (const mode of [{}, eventStream]) {
    const answer = await agent.ask('c', 'hi', { key, ...mode, headers: { origin: shop } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe(shop);
    expect(answer.headers.get('access-control-allow-credentials')).toBe(null);
    expect(answer.headers.get('vary')).toContain('Origin');
  }
  const foreign = await agent.ask('c', 'hi', { key, headers: { origin: 'https://evil.example' } });
  expect(foreign.status).toBe(403);
  expect(foreign.body).toEqual(problem('ORIGIN_NOT_ALLOWED'));
  expect(foreign.headers.get('access-control-allow-origin')).toBe(null);
});

test('an answer to a secret key never carries CORS headers', async () => {
  const agent = await service.agent(echo);
  const shop = 'https://shop.example';
  await agent.key('publishable', { allowedOrigins: [shop] });
  for (const text of ['hi', '']) {
    const answer = await agent.ask('c', text, { headers: { origin: shop } });
    expect(answer.status).toBe(text === '' ? 400 : 200);
    const names = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
    expect(names).toEqual([]);
  }
});

test('of 200 posts at once exactly 60 are turns, and the others say when to come back', async () => {
  const agent = await service.agent(echo);
  const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => agent.ask(`c${index}`, 'hi')));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
  expect(agent.prompts()).toHaveLength(60);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(140);
  for (const { headers, body } of refused) {
    const seconds = Number(headers.get('retry-after'));
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(body).toEqual({ ...problem('RATE_LIMITED'), retryAfter: seconds });
    expect(headers.get('ratelimit-policy')).toBe('"turns";q=60;w=60');
    expect(headers.get('ratelimit')).toBe(`"turns";r=0;t=${seconds}`);
  }
  const { key } = await agent.key('secret');
  expect((await agent.ask('another key', 'hi', { key })).status).toBe(200);
});

test('the window slides: the 61st turn is one exactly when the first is 60 s old', async () => {
  const agent = await service.agent(echo);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const start = Date.now();
  expect((await agent.ask('first', 'hi')).status).toBe(200);
  vi.setSystemTime(start + 30_500);
  for (let turn = 1; turn < 60; turn += 1) expect((await agent.ask('c', 'hi')).status).toBe(200);
  const refused = await agent.ask('c', 'hi');
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('30');
  vi.setSystemTime(start + 59_999);
  expect((await agent.ask('c', 'hi')).headers.get('retry-after')).toBe('1');
  vi.setSystemTime(start + 60_000);
  expect((await agent.ask('c', 'hi')).status).toBe(200);
  expect((await agent.ask('c', 'hi')).headers.get('retry-after')).toBe('31');
});

test('requests refused for another reason cost no turn', async () => {
  const agent = await service.agent(echo);
  // What a busy machine takes longer than a minute for would be more than one window.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const key = { 'idempotency-key': 'the-same-each-time' };
  for (let turn = 1; turn < 60; turn += 1) await agent.ask('c', 'hi');
  for (let round = 0; round < 5; round += 1) {
    expect((await agent.ask('c', '')).status).toBe(400);
    expect((await agent.ask('c', 'hi', { accept: 'image/png' })).status).toBe(406);
    expect((await agent.send('x', { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
    expect((await agent.send({ id: 'c', text: 'x', more: 'x'.repeat(2 ** 21) })).status).toBe(413);
  }
  expect((await agent.ask('c', 'last', { headers: key })).status).toBe(200);
  expect((await agent.ask('c', 'last', { headers: key })).body.text).toBe('last');
  expect((await agent.ask('c', 'other', { headers: key })).status).toBe(409);
  expect((await agent.ask('c', 'one more')).status).toBe(429);
});

test('a conversation belongs to the agent: its secret keys share it, other agents and publishable keys have their own', async () => {
  const script = [
    { when: 'my name is (\\w+)', steps: [{ say: 'Hello {{1}}.' }] },
    { steps: [{ say: '{{recall:my name is (\\w+)}}' }] },
  ];
  const ida = await service.agent(script);
  const other = await service.agent(script, { tenantId: ida.tenantId });
  const second = await ida.key('secret');
  const publishable = await ida.key('publishable');
  await ida.ask('same id', 'My name is Ida');
  expect((await ida.ask('same id', 'who?', { key: second.key })).body.text).toBe('Ida');
  expect((await ida.ask('same id', 'who?', { key: publishable.key })).body.text).toBe('nothing');
  expect((await ida.ask('another id', 'who?')).body.text).toBe('nothing');
  expect((await other.ask('same id', 'who?')).body.text).toBe('nothing');
  const moved = await ida.key('secret');
  await service.settings('PATCH', `/keys/${moved.id}`, { agentId: other.agentId });
  expect((await ida.ask('same id', 'who?', { key: moved.key })).body.text).toBe('nothing');
});

test('ids that differ in one character, or are one in another form, are different conversations', async () => {
  const agent = await service.agent([{ steps: [{ say: '{{recall:(.+)}}' }] }]);
  const ids = ['a', 'A', 'a ', 'ä', 'a\u0308', '.', '..', 'a/b', '%61', 'true'];
  for (const id of ids) await agent.ask(id, `I am ${JSON.stringify(id)}`);
  for (const id of ids) {
    expect((await agent.ask(id, 'who?')).body).toMatchObject({ id, text: `I am ${JSON.stringify(id)}` });
  }
});

test('a Chat turn leaves nothing behind but its conversation: no session of the Sessions interface', async () => {
  const agent = await service.agent(echo);
  const answer = await agent.ask('c', 'hi', eventStream);
  expect(textOf(chunksOf(answer.body))).toBe('hi');
  const names = [...answer.headers.keys()].filter((name) => name.includes('session'));
  expect(names).toEqual([]);
});
