import { expect, test, vi } from 'vitest';
import { createTabs } from '../../testing/create-tabs.ts';
import { createService, pass, startConversation, createBrowser } from '../../testing/start-conversation.ts';

const badGateway = () => new Response('<h1>Bad gateway</h1>', { status: 502 });
const limited = (retryAfter: number) =>
  Response.json({ ok: false, code: 'RATE_LIMITED', error: 'Too many.', retryAfter }, { status: 429 });
const texts = ({ posted }: ReturnType<typeof createService>) => posted.map(({ body }) => body['message']);

test('a message that a proxy answers with 502 is sent again until it gets through, once', async () => {
  const service = createService();
  const { conversation } = await startConversation(service);
  const { respond } = service;
  service.respond = badGateway;
  conversation.send('Hello');
  await pass(2_000);
  expect(conversation.outbox.value).toMatchObject([{ state: { kind: 'failed', error: { status: 502 } } }]);
  service.respond = respond;
  await pass(5_000);
  expect(conversation.outbox.value).toMatchObject([{ state: { kind: 'accepted' } }]);
  const [first] = service.posted;
  expect(service.posted).toEqual(Array.from({ length: 5 }, () => first));
});

test('a message over a limit is sent when the limit ends, not when the network is back, and before later ones', async () => {
  const browser = createBrowser();
  const service = createService();
  const { conversation } = await startConversation(service, browser);
  const { respond } = service;
  service.respond = () => limited(60);
  conversation.send('one');
  await pass();
  service.respond = respond;
  conversation.send('two');
  browser.events.dispatchEvent(new Event('online'));
  await pass(59_000);
  expect(texts(service)).toEqual(['one']);
  expect(conversation.outbox.value).toMatchObject([
    { state: { kind: 'failed' } },
    { state: { kind: 'failed' } },
  ]);
  await pass(2_000);
  expect(texts(service)).toEqual(['one', 'one', 'two']);
});

test('a message on a dead socket is sent again, and the next one does not wait for it', async () => {
  const service = createService();
  const { conversation } = await startConversation(service);
  const { respond } = service;
  service.respond = (post) => {
    service.respond = respond;
    return post ? new Promise(() => {}) : badGateway();
  };
  conversation.send('one');
  conversation.send('two');
  await pass(9_000);
  expect(texts(service)).toEqual(['one']);
  await pass(2_000);
  expect(texts(service)).toEqual(['one', 'one', 'two']);
});

test('a message that is refused for good is not sent again', async () => {
  const service = createService();
  const { conversation } = await startConversation(service);
  service.respond = () => Response.json({ ok: false, code: 'BAD_REQUEST', error: 'No.' }, { status: 400 });
  conversation.send('Hello');
  await pass(300_000);
  expect(service.posted).toHaveLength(1);
});

test('a message waits offline without another attempt, and is sent when the network is back', async () => {
  const browser = createBrowser();
  const service = createService();
  const { conversation } = await startConversation(service, browser);
  const { respond } = service;
  browser.events.dispatchEvent(new Event('offline'));
  service.respond = () => Promise.reject(new TypeError('Failed to fetch'));
  conversation.send('Hello');
  await pass(30_000);
  expect(conversation.outbox.value).toMatchObject([{ state: { kind: 'failed' } }]);
  const { length: attempts } = service.posted;
  await pass(300_000);
  expect(service.posted).toHaveLength(attempts);
  service.respond = respond;
  browser.events.dispatchEvent(new Event('online'));
  await pass();
  expect(conversation.outbox.value).toMatchObject([{ state: { kind: 'accepted' } }]);
});

test('however often it is tried by hand, what nobody has heard is sent again by one clock', async ({
  onTestFinished,
}) => {
  // Half of every pause is at random: here all of it.
  const random = vi.spyOn(Math, 'random').mockReturnValue(1);
  onTestFinished(() => random.mockRestore());
  const service = createService();
  const { conversation } = await startConversation(service);
  service.respond = () => Promise.reject(new TypeError('Failed to fetch'));
  conversation.send('Hello');
  await pass(2_000);
  const { length: once } = service.posted;
  const { id } = conversation.outbox.value[0]!;
  for (let time = 0; time < 3; time++) {
    expect(conversation.outbox.value).toMatchObject([{ state: { kind: 'failed' } }]);
    conversation.retry(id);
    await pass(2_000);
  }
  expect(service.posted).toHaveLength(4 * once);
  // The fourth time it waits 40 seconds.
  await pass(39_000);
  expect(service.posted).toHaveLength(4 * once);
  await pass(5_000);
  expect(service.posted).toHaveLength(5 * once);
});

test('a message leaves with what the page said when it said it, whatever the page makes of that', async () => {
  const service = createService();
  const { conversation } = await startConversation(service);
  const values: Record<string, unknown> = { page: 'Pricing' };
  const judged = conversation.setContext(values);
  values['self'] = values;
  values['count'] = 1n;
  conversation.send('Hello');
  void conversation.setContext({ page: 'Another' });
  await judged;
  await pass(2_000);
  expect(conversation.outbox.value).toMatchObject([{ state: { kind: 'accepted' } }]);
  expect(service.posted[0]?.body['clientContext']).toEqual({ page: 'Pricing' });
});

test('a message that one tab takes back is sent by no other one that has found it unsent', async () => {
  const browser = createBrowser();
  const service = createService();
  const { conversation } = await startConversation(service, browser);
  const { respond } = service;
  service.respond = () => limited(60);
  conversation.send('Cancel my order');
  await pass();
  const other = (await startConversation(service, browser)).conversation;
  await pass();
  expect(other.outbox.value).toMatchObject([{ text: 'Cancel my order', state: { kind: 'failed' } }]);
  service.respond = respond;
  service.posted.length = 0;
  conversation.discard(conversation.outbox.value[0]!.id);
  browser.events.dispatchEvent(new Event('storage'));
  await pass(70_000);
  expect(texts(service)).toEqual([]);
  expect(other.outbox.value).toEqual([]);
  other.send('Hello');
  await pass(1_000);
  expect(texts(service)).toEqual(['Hello']);
});

test.for([
  ['is trying to send it', ['Cancel my order']],
  ['has another one to send first', ['Where is my order?', 'Cancel my order']],
] as const)('a message that one tab takes back is not sent by another one that %s', async ([, said]) => {
  const service = createService();
  const { respond } = service;
  const tabs = createTabs();
  const here = (await startConversation(service, tabs.openTab())).conversation;
  here.open({ sessionId: 's1', continuationToken: 't1' });
  await pass();
  service.respond = () => Promise.reject(new TypeError('Failed to fetch'));
  for (const each of said) here.send(each);
  await pass(3_000);
  const { id, state } = here.outbox.value.at(-1)!;
  expect(state.kind).toBe('failed');
  service.respond = () => new Promise(() => {});
  const there = (await startConversation(service, tabs.openTab())).conversation;
  await pass();
  expect(there.outbox.value.at(-1)).toMatchObject({ id, state: { kind: 'sending' } });
  here.discard(id);
  tabs.events.dispatchEvent(new Event('storage'));
  expect(there.outbox.value).toHaveLength(said.length - 1);
  service.posted.length = 0;
  service.respond = respond;
  await pass(120_000);
  expect(texts(service)).not.toContain('Cancel my order');
  expect(there.outbox.value.every(({ state: sent }) => sent.kind === 'accepted')).toBe(true);
});
