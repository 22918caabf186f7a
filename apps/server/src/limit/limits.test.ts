import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Answer } from '../testing/test-service.ts';
import { type TestAgent, Visitor, sharedService } from '../testing/visitor.ts';

const service = await sharedService(() => Date.now());
const echo = [{ steps: [{ say: '{{input}}' }] }];

// A test that lasts from one minute into the next would meet two windows.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const limited = (limits: Record<string, number>): Promise<TestAgent> =>
  service.agent(echo, { agent: { limits } });

async function statuses(answers: readonly Promise<Answer>[]): Promise<Record<number, number>> {
  const count: Record<number, number> = {};
  for (const { status } of await Promise.all(answers)) count[status] = (count[status] ?? 0) + 1;
  return count;
}

const many = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

function chat(key: string, id: string): Promise<Response> {
  // oxlint-disable-next-line eslint/no-restricted-globals -- a test calls the service from outside
  return fetch(`${service.url}/api/v1/agent/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id, text: 'hello' }),
  });
}

for (const name of [
  'sessionsPerMinute',
  'sessionsPerKeyPerDay',
  'sessionsPerAddressPerMinute',
  'sessionsPerAddressPerDay',
  'turnsPerAddressPerMinute',
  'turnsPerAddressPerDay',
  'turnsPerKeyPerDay',
]) {
  test(`of creates at once ${name} lets as many through as it says`, async () => {
    const { visitor } = await limited({ [name]: 3 });
    const creates = many(12, () => visitor.post('', { message: 'hello' }));
    expect(await statuses(creates)).toEqual({ 202: 3, 429: 9 });
  });
}

for (const name of [
  'turnsPerSessionPerMinute',
  'turnsPerSessionPerDay',
  'turnsPerAddressPerMinute',
  'turnsPerAddressPerDay',
  'turnsPerKeyPerDay',
]) {
  test(`of messages to one session at once ${name} lets as many through as it says`, async () => {
    const { visitor } = await limited({ [name]: 3 });
    const session = await visitor.start('first');
    const accepted = name.startsWith('turnsPerSession') ? 3 : 2;
    const messages = many(8, () => session.send({ message: 'more' }));
    expect(await statuses(messages)).toEqual({ 200: accepted, 429: 8 - accepted });
    await session.control('reset');
  });
}

test('a compaction and a clear count as turns', async () => {
  const { visitor } = await limited({ turnsPerSessionPerMinute: 2 });
  const session = await visitor.start('first');
  expect((await session.control('compact')).status).toBe(202);
  expect((await session.control('clear')).status).toBe(202);
  expect(await session.control('compact')).toMatchObject({ status: 429, body: { code: 'QUOTA_EXCEEDED' } });
  expect((await session.send({ message: 'more' })).status).toBe(429);
});

test('a rejection says which limit, when to come back, and to a server also the name of the setting', async () => {
  const { visitor, secret } = await limited({
    sessionsPerAddressPerMinute: 1,
    sessionsPerMinute: 1,
    turnsPerSessionPerMinute: 1,
  });
  const session = await visitor.start('first');
  await session.send({ message: 'second' });
  const third = await session.send({ message: 'third' });
  expect(third.body).toMatchObject({
    code: 'QUOTA_EXCEEDED',
    error: expect.stringMatching(
      /^There were too many messages in this conversation\. Try again in \d+ s\.$/,
    ),
  });
  expect(third.headers.get('retry-after')).toBe(String(third.body.retryAfter));
  expect(third.body.retryAfter).toBeLessThanOrEqual(60);

  const server = new Visitor(service.url, secret.key);
  await server.start('first');
  const rejected = await server.post('', { message: 'second' });
  expect(rejected.body.error).toMatch(
    /^Too many conversations were started with this key\. Try again in \d+ s\. The agent's limit is sessionsPerMinute\.$/,
  );
});

test('a secret key speaks for many visitors: address and session are not counted', async () => {
  const { secret } = await limited({
    sessionsPerAddressPerMinute: 1,
    turnsPerAddressPerMinute: 1,
    turnsPerSessionPerMinute: 1,
    streamsPerSession: 1,
    streamsPerAddress: 1,
    requestsPerAddressPerMinute: 1,
  });
  const server = new Visitor(service.url, secret.key);
  await server.start('one');
  const session = await server.start('two');
  const readers = [await session.follow(), await session.follow()];
  expect(readers.map(({ response }) => response.status)).toEqual([200, 200]);
  for (const reader of readers) reader.close();
  expect(await statuses(many(3, () => session.send({ message: 'more' })))).toEqual({ 200: 3 });
  expect((await chat(secret.key, 'one')).status).toBe(200);
  expect((await chat(secret.key, 'two')).status).toBe(200);
});

test('a Chat turn with a publishable key counts by address like that of a session', async () => {
  const { visitor, publishable } = await limited({ turnsPerAddressPerMinute: 2 });
  await visitor.start('one');
  expect((await chat(publishable.key, 'two')).status).toBe(200);
  expect((await chat(publishable.key, 'three')).status).toBe(429);
  expect((await visitor.post('', { message: 'four' })).status).toBe(429);
});

test('one agent’s visitors take nothing from those of another', async () => {
  const agents = [
    await limited({ sessionsPerAddressPerDay: 1 }),
    await limited({ sessionsPerAddressPerDay: 1 }),
  ];
  for (const { visitor } of agents) await visitor.start('hello');
});

for (const name of ['streamsPerSession', 'streamsPerAddress', 'streamsPerKey']) {
  test(`${name} bounds what is open at once, and one that closes makes room`, async () => {
    const { visitor } = await limited({ [name]: 2 });
    const session = await visitor.start('one');
    const [first, second] = [await session.follow(), await session.follow('?startIndex=2')];
    const third = await session.follow();
    expect(third.response.status).toBe(429);
    expect(third.response.headers.get('retry-after')).toBe('5');
    first?.close();
    await expect.poll(async () => (await session.follow()).response.status).toBe(200);
    second?.close();
  });
}

test('a reply on Chat is a stream too, rejected before its turn is accepted', async () => {
  const { visitor, publishable } = await service.agent([{ steps: [{ wait: 5_000 }, { say: 'late' }] }], {
    agent: { limits: { streamsPerAddress: 1 } },
  });
  const session = await visitor.start('one');
  const reader = await session.follow();
  expect((await chat(publishable.key, 'two')).status).toBe(429);
  // oxlint-disable-next-line eslint/no-restricted-globals -- a test calls the service from outside
  const resumed = await fetch(`${service.url}/api/v1/agent/chat/two/stream`, { headers: visitor.headers });
  expect(resumed.status).toBe(204);
  reader.close();
  await session.control(`${session.id}/end`);
});

test('requests of every kind have a rate by address', async () => {
  const { visitor } = await limited({ requestsPerAddressPerMinute: 5 });
  const session = await visitor.start('one');
  const cancels = many(10, () => session.cancel());
  expect(await statuses(cancels)).toEqual({ 202: 4, 429: 6 });
  const rejected = await session.cancel();
  expect(rejected.body.error).toMatch(
    /^There were too many requests from this address\. Try again in \d+ s\.$/,
  );
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('a conversation is never rejected because of its length', async () => {
  const { agentId, visitor } = await limited({});
  const limits = { turnsPerSession: 5 };
  expect((await service.settings('PATCH', `/agents/${agentId}`, { limits })).status).toBe(400);
  const session = await visitor.start('0');
  for (let n = 1; n <= 40; n += 1) {
    expect((await session.send({ message: `${n}` })).status).toBe(200);
    if (n % 8 === 0) await session.log(n + 1);
  }
});

test('what was used up is there again when its window is over', async () => {
  const { visitor } = await limited({ sessionsPerAddressPerMinute: 1, sessionsPerAddressPerDay: 2 });
  const create = async () => {
    const { status, headers } = await visitor.post('', { message: 'hello' });
    return { status, wait: Number(headers.get('retry-after')) };
  };
  const noon = Date.UTC(2026, 10, 22, 12);
  vi.setSystemTime(noon);
  expect(await create()).toMatchObject({ status: 202 });
  expect(await create()).toEqual({ status: 429, wait: 60 });
  vi.setSystemTime(noon + 60_000);
  expect(await create()).toMatchObject({ status: 202 });
  vi.setSystemTime(noon + 3_600_000);
  expect(await create()).toEqual({ status: 429, wait: 11 * 3_600 });
  vi.setSystemTime(noon + 12 * 3_600_000);
  expect(await create()).toMatchObject({ status: 202 });
});

test('the limits that nobody chose hold on a public page', async () => {
  const { tenantId } = await limited({});
  const model = { provider: 'scripted', script: echo };
  const made = await service.settings('POST', '/agents', { tenantId, name: 'Public', model });
  const kind = 'publishable';
  const key = await service.settings('POST', '/keys', { tenantId, agentId: made.body.id, kind });
  const visitor = new Visitor(service.url, key.body.key);
  const creates = many(70, () => visitor.post('', { message: 'hello' }));
  expect(await statuses(creates)).toEqual({ 202: 60, 429: 10 });
});
