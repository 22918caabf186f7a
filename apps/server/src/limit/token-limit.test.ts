import type { SessionEvent } from '@parley/protocol/event';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createLogger } from '../logger.ts';
import { ModelError } from '../model/model-error.ts';
import { startService } from '../service.ts';
import { testStore } from '../testing/test-store.ts';
import { request } from '../testing/test-service.ts';
import { type ChatAgent, chatService } from '../testing/chat-service.ts';
import { type TestAgent, Visitor, dataOf, sharedService } from '../testing/visitor.ts';

const service = await sharedService();
/** Its models say what a test tells them. */
const freely = await chatService();

const words = 60;
/** Says 60 words, each a token of the scripted model, one after the other. */
const chatter = [{ steps: [{ say: 'word ', repeat: words, delayMs: 2 }] }];

/** Whether so many tokens are used already. */
async function isUsedUp(agent: TestAgent, tokensPerDay: number): Promise<boolean> {
  await service.settings('PATCH', `/agents/${agent.agentId}`, { limits: { tokensPerDay } });
  return (await agent.visitor.post('', { message: 'probe' })).status === 429;
}

function wordsIn(events: readonly SessionEvent[]): number {
  const text = dataOf(events, 'message.appended').map(({ messageDelta }) => messageDelta);
  return text.join('').split(' ').length - 1;
}

test('of parallel creates only one begins while it alone may use up what is left', async () => {
  const { visitor } = await service.agent(chatter, { agent: { limits: { tokensPerDay: 1 } } });
  const answers = await Promise.all(Array.from({ length: 40 }, () => visitor.post('', { message: 'hi' })));
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
  const rejected = answers.find(({ status }) => status !== 202)!;
  expect(rejected).toMatchObject({ status: 429, body: { code: 'QUOTA_EXCEEDED' } });
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(rejected.headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
});

test('cancelled turns take no more words than the limit and the turn that reached it', async () => {
  const tokensPerDay = 100;
  const { visitor } = await service.agent(chatter, { agent: { limits: { tokensPerDay } } });
  let had = 0;
  let rejected = 0;
  for (let turn = 0; turn < 12 && rejected === 0; turn += 1) {
    const created = await visitor.post('', { message: 'hi' });
    if (created.status === 429) {
      rejected += 1;
      continue;
    }
    const reader = await visitor.follow(created.body.sessionId, '?soFar=0');
    await reader.until(({ events }) => wordsIn(events) > words / 2);
    await visitor.post(`/${created.body.sessionId}/cancel`, '');
    had += wordsIn(await reader.boundaries(1));
    reader.close();
  }
  expect(rejected).toBe(1);
  expect(had).toBeLessThanOrEqual(tokensPerDay + words);
});

test('what a failed turn had said counts, and a call that its provider refused does not', async () => {
  const failing = [
    { when: 'midway', steps: [{ say: 'word '.repeat(100) }, { fail: 'boom' }] },
    { when: 'refused', steps: [{ fail: 'boom' }] },
  ];
  const agent = await service.agent(failing);
  await (await agent.visitor.start('refused')).log(1);
  expect(await isUsedUp(agent, 1)).toBe(false);
  const next = await service.agent(failing);
  await (await next.visitor.start('midway')).log(1);
  expect(await isUsedUp(next, 100)).toBe(true);
});

test('a turn that uses up the tokens is stopped before its next model call', async () => {
  const looping = [
    { steps: [{ say: 'word '.repeat(50) }, { call: 'look', input: { name: 'a' } }, { say: 'never' }] },
  ];
  const { visitor } = await service.agent(looping, {
    agent: { limits: { tokensPerDay: 40 } },
    tools: [{ name: 'look', request: { method: 'GET', url: service.endpoint.url } }],
  });
  const events = await (await visitor.start('go')).log(1);
  expect(dataOf(events, 'turn.failed')).toMatchObject([
    { code: 'QUOTA_EXCEEDED', message: expect.stringContaining('tomorrow') },
  ]);
  expect(dataOf(events, 'action.result')).toHaveLength(1);
  expect(JSON.stringify(events)).not.toContain('never');
});

test('what waits in the queue when the tokens are used up calls no model', async () => {
  const agent = await freely.agent([], { agent: { limits: { tokensPerDay: 1_100 } } });
  const queued = Promise.withResolvers<void>();
  agent.model(async function* () {
    await queued.promise;
    const text = 'word '.repeat(1_200);
    yield { type: 'text', text };
    const usage = { outputTokens: 1_200 };
    yield { type: 'finish', finishReason: 'stop', usage, content: [{ type: 'text', text }] };
  });
  const session = await new Visitor(freely.url, agent.secret.key).start('first');
  expect((await session.send({ message: 'second' })).status).toBe(200);
  queued.resolve();
  const events = await session.log(2);
  expect(dataOf(events, 'turn.failed')).toMatchObject([{ code: 'QUOTA_EXCEEDED' }]);
  expect(agent.prompts()).toHaveLength(1);
});

test('what a turn reserved is free again when it is done', async () => {
  const { visitor } = await service.agent([{ steps: [{ say: 'hi' }] }], {
    agent: { limits: { tokensPerDay: 100 } },
  });
  for (let turn = 0; turn < 5; turn += 1) await (await visitor.start('hello')).log(1);
});

test('what an ended session had in its queue holds nothing', async () => {
  const { visitor } = await service.agent([{ steps: [{ wait: 60_000 }, { say: 'hi' }] }], {
    agent: { limits: { tokensPerDay: 3_000 } },
  });
  const session = await visitor.start('hello');
  await session.send({ message: 'and this' });
  await session.send({ message: 'and that' });
  expect((await visitor.post('', { message: 'more' })).status).toBe(429);
  await session.control(`${session.id}/end`);
  const next = await visitor.start('more');
  await next.control(`${next.id}/end`);
});

test('a compaction counts, and is rejected like a turn', async () => {
  const agent = await service.agent([{ steps: [{ say: 'hi' }] }]);
  const session = await agent.visitor.start('word '.repeat(500));
  await session.log(1);
  expect((await session.control('compact')).status).toBe(202);
  await session.log(2);
  expect(await isUsedUp(agent, 1_000)).toBe(true);
  expect((await session.control('compact')).body).toMatchObject({ code: 'QUOTA_EXCEEDED' });
});

test('Chat answers 429 with a time to come back, before a turn and in the middle of one', async () => {
  const { secret } = await service.agent(
    [{ steps: [{ call: 'look', input: { name: 'a' } }, { say: 'never' }] }],
    {
      agent: { limits: { tokensPerDay: 1 }, instructions: 'Be brief. Be kind.' },
      tools: [{ name: 'look', request: { method: 'GET', url: service.endpoint.url } }],
    },
  );
  const ask = (id: string) =>
    // oxlint-disable-next-line eslint/no-restricted-globals -- a test calls the service from outside
    fetch(`${service.url}/api/v1/agent/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id, text: 'look it up' }),
    });
  for (const id of ['one', 'two']) {
    const response = await ask(id);
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await response.json()).toMatchObject({ code: 'QUOTA_EXCEEDED' });
  }
});

test('what a message reserves includes the conversation that the model reads again, until that is cleared', async () => {
  const tokensPerDay = 5_000;
  const agent = await service.agent(
    [{ when: '^slow', steps: [{ wait: 60_000 }] }, { steps: [{ say: 'ok' }] }],
    {
      agent: { limits: { tokensPerDay } },
    },
  );
  const session = await agent.visitor.start('word '.repeat(3_000));
  await session.log(1);
  await session.send({ message: 'slow' });
  expect((await agent.visitor.post('', { message: 'hello' })).status).toBe(429);
  await session.cancel();
  await session.control('clear');
  await session.log(3);
  // What was cancelled counts as read.
  await service.settings('PATCH', `/agents/${agent.agentId}`, { limits: { tokensPerDay: 2 * tokensPerDay } });
  await session.send({ message: 'slow' });
  await (await agent.visitor.start('hello')).log(1);
  await session.control(`${session.id}/end`);
});

test('before the first call of a message that runs at once the store is not asked again', async () => {
  const stored = await testStore();
  const store = await stored.open();
  let asked = 0;
  const used: typeof store.readQuota = (...args) => {
    asked += 1;
    return store.readQuota(...args);
  };
  const config = readConfig({ ...stored.environment, PORT: '0' });
  const own = await startService(config, createLogger('fatal'), { store: { ...store, readQuota: used } });
  onTestFinished(() => own.stop());
  const created = async (path: string, body: object) => {
    const init = {
      method: 'POST',
      headers: { authorization: `Bearer ${own.adminToken.value}`, 'content-type': 'application/json' },
    };
    return (await request(`${own.url}/api/v1/settings${path}`, { ...init, body: JSON.stringify(body) })).body;
  };
  const { id: tenantId } = await created('/tenants', { name: 'Tenant' });
  const model = { provider: 'scripted', script: [{ steps: [{ say: 'hi' }] }] };
  const { id: agentId } = await created('/agents', { tenantId, name: 'Ada', model });
  const { key } = await created('/keys', { tenantId, agentId, kind: 'publishable' });
  const session = await new Visitor(own.url, key).start('hello');
  await session.log(1);
  await session.send({ message: 'more' });
  await session.log(2);
  expect(asked).toBe(0);
});

/** Whether a message is accepted once the agent may use so many tokens a day. */
async function isAccepted(agent: ChatAgent, tokensPerDay: number): Promise<boolean> {
  await freely.settings('PATCH', `/agents/${agent.agentId}`, { limits: { tokensPerDay } });
  return (await agent.ask('probe', 'hello')).status !== 429;
}

test('a compaction that fails counts what it had said', async () => {
  const agent = await freely.agent([{ steps: [{ say: 'ok' }] }]);
  const session = await new Visitor(freely.url, agent.secret.key).start('hello');
  await session.log(1);
  agent.model(async function* () {
    yield { type: 'text', text: 'word '.repeat(800) };
    throw new ModelError('unreachable', 'gone');
  });
  await session.control('compact');
  await session.log(2);
  expect(await isAccepted(agent, 1_000)).toBe(false);
});

test('where a provider tells no usage, an estimate counts', async () => {
  const agent = await freely.agent([]);
  agent.model(async function* () {
    const text = 'word '.repeat(800);
    yield { type: 'text', text };
    yield { type: 'finish', finishReason: 'stop', usage: {}, content: [{ type: 'text', text }] };
  });
  expect((await agent.ask('one', 'hello')).status).toBe(200);
  expect(await isAccepted(agent, 1_000)).toBe(false);
  expect(await isAccepted(agent, 1_400)).toBe(true);
});

test('a picture counts as what a picture takes, not as its bytes', async () => {
  const agent = await freely.agent([]);
  agent.model(async function* () {
    yield { type: 'text', text: 'ok' };
    yield { type: 'finish', finishReason: 'stop', usage: {}, content: [{ type: 'text', text: 'ok' }] };
  });
  const picture = { type: 'file', mediaType: 'image/png', data: Buffer.alloc(600_000).toString('base64') };
  await (await new Visitor(freely.url, agent.secret.key).start([picture])).log(1);
  expect(await isAccepted(agent, 10_000)).toBe(true);
});

test('reasoning that nobody is shown counts, that of an attempt that was lost as well', async () => {
  const said = { type: 'finish', finishReason: 'stop', usage: { outputTokens: 1 }, content: [] } as const;
  const lost = await freely.agent([]);
  lost.model(async function* () {
    yield { type: 'hidden', bytes: 4_000 };
    yield { type: 'again' };
    yield { type: 'text', text: 'ok' };
    yield said;
  });
  expect((await lost.ask('one', 'hello')).status).toBe(200);
  const cut = await freely.agent([]);
  cut.model(async function* () {
    yield { type: 'hidden', bytes: 4_000 };
    throw new ModelError('unreachable', 'gone');
  });
  expect((await cut.ask('one', 'hello')).status).toBe(502);
  for (const agent of [lost, cut]) {
    expect(await isAccepted(agent, 1_300)).toBe(false);
    expect(await isAccepted(agent, 1_600)).toBe(true);
  }
});
