import { expect, test, vi } from 'vitest';
import { createTabs } from '../../testing/create-tabs.ts';
import { createBrowser, createService, pass, startConversation } from '../../testing/start-conversation.ts';

const turn = { sequence: 0, turnId: 'turn_0' };
const delegated = [
  { type: 'turn.started', data: turn },
  {
    type: 'action.delegated',
    data: { ...turn, stepIndex: 0, callId: 'c1', toolName: 'go_to', input: { page: 'prices' } },
  },
  { type: 'turn.completed', data: turn },
  { type: 'session.waiting', data: { wait: 'next-user-message', continuationToken: 't1' } },
];
const session = { sessionId: 's1', continuationToken: 't1' };
const goTo = (run: (input: Record<string, unknown>) => unknown) => ({
  name: 'go_to',
  description: 'Shows a page.',
  parameters: { type: 'object' as const },
  run,
});
const results = ({ posted }: ReturnType<typeof createService>) =>
  posted.flatMap(({ body }) => (body['actionResults'] as object[] | undefined) ?? []);
const refuse = () => Response.json({ ok: false, code: 'BAD_REQUEST', error: 'No.' }, { status: 400 });

test('the agent is given what a tool of the page returns', async () => {
  const service = createService();
  const { conversation } = await startConversation(service);
  const run = vi.fn((input: object) => ({ shown: input }));
  await conversation.offerTool(goTo(run));
  conversation.open(session);
  service.write(...delegated);
  await pass(2_000);
  expect(results(service)).toEqual([{ callId: 'c1', output: { shown: { page: 'prices' } } }]);
  expect(run).toHaveBeenCalledTimes(1);
});

test('a tool that the page offers later does what has waited for it', async () => {
  const service = createService();
  const { conversation } = await startConversation(service);
  conversation.open(session);
  service.write(...delegated);
  await pass(2_000);
  expect(results(service)).toEqual([]);
  await conversation.offerTool(goTo(() => 'done'));
  await pass(2_000);
  expect(results(service)).toEqual([{ callId: 'c1', output: 'done' }]);
});

test('of two tabs one runs a call, and its result is waited for by the other', async () => {
  const service = createService();
  const tabs = createTabs();
  const run = vi.fn(() => 'done');
  const [here, there] = [
    await startConversation(service, tabs.openTab()),
    await startConversation(service, tabs.openTab()),
  ].map(({ conversation }) => conversation);
  for (const each of [here!, there!]) await each.offerTool(goTo(run));
  here!.open(session);
  await pass(1_000);
  service.write(...delegated);
  await pass(10_000);
  expect(run).toHaveBeenCalledTimes(1);
  service.write({
    type: 'action.result',
    data: {
      ...turn,
      stepIndex: 0,
      result: { callId: 'c1', toolName: 'go_to', output: 'done' },
      status: 'completed',
    },
  });
  await pass(60_000);
  expect(run).toHaveBeenCalledTimes(1);
});

test('a tool whose result is refused in every form is not run again, also after a reload', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const service = createService();
  const browser = createBrowser();
  const run = vi.fn(() => 'done');
  const { respond } = service;
  const { conversation } = await startConversation(service, browser);
  await conversation.offerTool(goTo(run));
  conversation.open(session);
  service.respond = refuse;
  service.write(...delegated);
  await pass(2_000);
  expect(results(service)).toMatchObject([
    { output: 'done' },
    { error: expect.stringContaining('cannot be used') },
  ]);
  conversation.dispose();
  service.respond = respond;
  const next = await startConversation(service, browser);
  await next.conversation.offerTool(goTo(run));
  await pass(60_000);
  expect(run).toHaveBeenCalledTimes(1);
});

test.for([
  ['a proxy that does not reach the service', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
  [
    'a service that asks for a pause',
    () =>
      Response.json({ ok: false, code: 'RATE_LIMITED', error: 'Later.', retryAfter: 20 }, { status: 429 }),
  ],
] as const)('a result is given again after %s, and the tool runs once', async ([, refuses]) => {
  const service = createService();
  const { respond } = service;
  const { conversation } = await startConversation(service);
  const run = vi.fn(() => 'done');
  await conversation.offerTool(goTo(run));
  conversation.open(session);
  service.respond = refuses;
  service.write(...delegated);
  await pass(15_000);
  const { length: refused } = service.posted;
  expect(refused).toBeGreaterThan(0);
  service.respond = respond;
  await pass(120_000);
  expect(service.posted.length).toBe(refused + 1);
  // Each time the same, under the same key.
  expect(new Set(service.posted.map(({ key }) => key)).size).toBe(1);
  for (const given of results(service)) expect(given).toEqual({ callId: 'c1', output: 'done' });
  expect(run).toHaveBeenCalledTimes(1);
});

test('a tool that fails tells the agent why', async () => {
  const service = createService();
  const { conversation } = await startConversation(service);
  await conversation.offerTool(
    goTo(() => {
      throw new Error('There is no such page.');
    }),
  );
  conversation.open(session);
  service.write(...delegated);
  await pass(2_000);
  expect(results(service)).toEqual([{ callId: 'c1', error: 'Error: There is no such page.' }]);
});

test.for([
  ['outlives the page that its tool leaves', 10_000, true],
  ['that a browser would not let outlive its page is sent as others are', 70_000, false],
] as const)('a result %s', async ([, length, keepalive]) => {
  const service = createService();
  const kept: (boolean | undefined)[] = [];
  const { fetch: send } = service;
  service.fetch = (input, init) => {
    if (init?.method === 'POST') kept.push(init.keepalive);
    return send(input, init);
  };
  const { conversation } = await startConversation(service);
  await conversation.offerTool(goTo(() => 'x'.repeat(length)));
  conversation.open(session);
  service.write(...delegated);
  await pass(2_000);
  expect(kept).toEqual([keepalive]);
});
