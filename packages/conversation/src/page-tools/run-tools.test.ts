import { expect, test, vi } from 'vitest';
import { createTabs } from '../../testing/create-tabs.ts';
import {
  createBrowser,
  createService,
  pass,
  readStorage,
  startConversation,
} from '../../testing/start-conversation.ts';

const turnAt = (sequence: number) => ({ sequence, turnId: `turn_${sequence}` });
const turn = turnAt(0);
const call = (callId: string, toolName: string, input = {}) => ({
  type: 'action.delegated',
  data: { ...turn, stepIndex: 0, callId, toolName, input },
});
const resultOf = (callId: string, sequence = 0) => ({
  type: 'action.result',
  data: {
    ...turnAt(sequence),
    stepIndex: 0,
    result: { callId, toolName: 'go_to', output: 'done' },
    status: 'completed',
  },
});
/** A turn that has ended, after which the service waits. */
const ended = (sequence: number, ...events: { type: string; data: object }[]) => [
  { type: 'turn.started', data: turnAt(sequence) },
  ...events,
  { type: 'turn.completed', data: turnAt(sequence) },
  { type: 'session.waiting', data: { wait: 'next-user-message', continuationToken: 't1' } },
];
const delegated = ended(0, call('c1', 'go_to', { page: 'prices' }));
const session = { sessionId: 's1', continuationToken: 't1' };
const toolOf = (name: string, run: (input: Record<string, unknown>) => unknown) => ({
  name,
  description: 'Shows a page.',
  parameters: { type: 'object' as const },
  run,
});
const goTo = (run: (input: Record<string, unknown>) => unknown) => toolOf('go_to', run);
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
  service.write(resultOf('c1'));
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
  ['that a browser would not let outlive its page is sent as others are', 30_000, undefined],
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

test('a result that a browser does not let outlive its page beside others is sent as others are', async () => {
  const service = createService();
  const { fetch: send } = service;
  service.fetch = (input, init) =>
    init?.keepalive ? Promise.reject(new TypeError('Over the limit')) : send(input, init);
  const { conversation } = await startConversation(service);
  await conversation.offerTool(goTo(() => 'done'));
  conversation.open(session);
  service.write(...delegated);
  await pass(1_500);
  expect(results(service)).toEqual([{ callId: 'c1', output: 'done' }]);
});

test('a result that the service may not have is sent by the next page, which runs nothing again', async () => {
  const service = createService();
  const browser = createBrowser();
  const { conversation } = await startConversation(service, browser);
  const run = vi.fn(() => 'done');
  await conversation.offerTool(goTo(run));
  conversation.open(session);
  service.respond = () => Promise.reject(new TypeError('The page was left'));
  service.write(...delegated);
  await pass(2_000);
  conversation.dispose();
  service.respond = () => Response.json({ ok: true });
  service.posted.length = 0;
  // Another page, which may have no such tool.
  const { conversation: next } = await startConversation(service, browser);
  await next.offerTool(toolOf('read_map', () => 'read'));
  await pass(60_000);
  expect(results(service)).toEqual([{ callId: 'c1', output: 'done' }]);
  expect(run).toHaveBeenCalledTimes(1);
  expect(readStorage(browser).get('results')).toBe('');
});

/** A conversation whose visitor goes over to another one while its tool runs; `finish` ends the tool. */
async function leaveWhileRunning(
  service: ReturnType<typeof createService>,
  browser = createBrowser(),
  token: string | null = null,
) {
  const finished = Promise.withResolvers<string>();
  const run = vi.fn(() => finished.promise);
  const { conversation } = await startConversation(service, browser);
  if (token) await conversation.identify(token);
  await conversation.offerTool(goTo(run));
  conversation.open(session);
  service.write(...delegated);
  await pass(2_000);
  conversation.open({ sessionId: 's2', continuationToken: 't2' });
  await pass(100);
  return { conversation, run, finish: () => finished.resolve('done') };
}

test('the result of a tool goes into no other conversation than the one that has asked', async () => {
  const service = createService();
  const { run, finish } = await leaveWhileRunning(service);
  finish();
  await pass(60_000);
  const given = service.posted.filter(({ body }) => body['actionResults']);
  expect(given.map(({ path, body }) => [path, body])).toEqual([
    ['/parley/v1/session/s1', { continuationToken: 't1', actionResults: [{ callId: 'c1', output: 'done' }] }],
  ]);
  expect(run).toHaveBeenCalledTimes(1);
});

test('a result that the network keeps back while its visitor is elsewhere is sent when that is back', async () => {
  const service = createService();
  const { respond } = service;
  const { run, finish } = await leaveWhileRunning(service);
  service.respond = () => Promise.reject(new TypeError('Failed to fetch'));
  finish();
  await pass(15_000);
  service.respond = respond;
  service.posted.length = 0;
  await pass(120_000);
  expect(service.posted.map(({ path }) => path)).toEqual(['/parley/v1/session/s1']);
  expect(results(service)).toEqual([{ callId: 'c1', output: 'done' }]);
  expect(run).toHaveBeenCalledTimes(1);
});

test('who has gone over to another conversation and logged out is sent nothing of a tool', async () => {
  const service = createService();
  const browser = createBrowser();
  const { conversation, finish } = await leaveWhileRunning(service, browser);
  await conversation.logout();
  finish();
  await pass(60_000);
  expect(results(service)).toEqual([]);
  expect(readStorage(browser).get('results')).toBe('');
});

const tokenOf = (visitor: string) => `x.${btoa(JSON.stringify({ sub: visitor }))}.x`;

test('a result that waits for the next token is not sent under the one of another visitor', async () => {
  const service = createService();
  const { conversation } = await startConversation(service);
  await conversation.identify(tokenOf('ada'));
  const finished = Promise.withResolvers<string>();
  await conversation.offerTool(goTo(() => finished.promise));
  conversation.open(session);
  service.write(...delegated);
  await pass(2_000);
  const token = Promise.withResolvers<string>();
  void conversation.identify(() => token.promise);
  finished.resolve('of Ada');
  await pass(1_000);
  token.resolve(tokenOf('grace'));
  await pass(60_000);
  expect(conversation.visitor.value).toBe('grace');
  expect(results(service)).toEqual([]);
});

test('who has logged out and come back while a tool runs is answered with its result', async () => {
  const service = createService();
  const { conversation, run, finish } = await leaveWhileRunning(service);
  await conversation.logout();
  conversation.open(session);
  await pass(2_000);
  finish();
  await pass(60_000);
  expect(results(service)).toEqual([{ callId: 'c1', output: 'done' }]);
  expect(run).toHaveBeenCalledTimes(1);
});

/** As the service does where it waits for more: a result is held in a turn of its own. */
function holdResults(service: ReturnType<typeof createService>) {
  const { respond } = service;
  let sequence = 0;
  service.respond = (post) => {
    for (const { callId } of (post.body['actionResults'] as { callId: string }[] | undefined) ?? []) {
      sequence++;
      service.write(...ended(sequence, resultOf(callId, sequence)));
    }
    return respond(post);
  };
  return service;
}

const asked = { type: 'message.received', data: { ...turn, message: 'Show me', parts: [] } };

test.for([
  ['a known visitor has opened another conversation', 'a network', tokenOf('ada'), 'open'],
  ['a known visitor has opened another conversation', 'no network', tokenOf('ada'), 'open'],
  ['somebody has begun a new conversation', 'a network', null, 'startNew'],
  ['somebody has begun a new conversation', 'no network', null, 'startNew'],
] as const)(
  'a tool runs once where %s and its result finds %s once the widget is unmounted',
  async ([, network, token, how]) => {
    const service = holdResults(createService());
    const { respond } = service;
    const browser = createBrowser();
    const finished = Promise.withResolvers<string>();
    const run = vi.fn(() => finished.promise);
    const mount = async () => {
      const { conversation } = await startConversation(service, browser);
      if (token) await conversation.identify(token);
      await conversation.offerTool(goTo(run));
      return conversation;
    };
    const before = await mount();
    before.open(session);
    service.write(...ended(0, asked, call('c1', 'go_to')));
    await pass(2_000);
    before[how]({ sessionId: 's2', continuationToken: 't2' });
    await pass(100);
    before.dispose();
    if (network === 'no network') service.respond = () => Promise.reject(new TypeError('Failed to fetch'));
    finished.resolve('done');
    await pass(10_000);
    service.respond = respond;
    const next = await mount();
    next.open(session);
    await pass(60_000);
    expect(run).toHaveBeenCalledTimes(1);
    expect(results(service)).not.toEqual([]);
    for (const given of results(service)) expect(given).toEqual({ callId: 'c1', output: 'done' });
    expect(readStorage(browser).get('results')).toBe('');
  },
);

test('a tool runs once where a known visitor erases another conversation meanwhile', async () => {
  const service = createService();
  const { conversation } = await startConversation(service);
  await conversation.identify(tokenOf('ada'));
  const finished = Promise.withResolvers<string>();
  const run = vi.fn(() => finished.promise);
  await conversation.offerTool(goTo(run));
  conversation.open(session);
  service.write(...delegated);
  await pass(2_000);
  conversation.open({ sessionId: 's2', continuationToken: 't2' });
  await pass(100);
  await conversation.erase();
  finished.resolve('done');
  await pass(2_000);
  conversation.open(session);
  await pass(60_000);
  expect(run).toHaveBeenCalledTimes(1);
  expect(results(service)).toEqual([{ callId: 'c1', output: 'done' }]);
});

test('nothing of a tool stays where its known visitor has erased the conversation that asked', async () => {
  const service = createService();
  const browser = createBrowser();
  const { conversation } = await startConversation(service, browser);
  await conversation.identify(tokenOf('ada'));
  const finished = Promise.withResolvers<string>();
  await conversation.offerTool(goTo(() => finished.promise));
  conversation.open(session);
  service.write(...delegated);
  await pass(2_000);
  await conversation.erase();
  service.respond = () => Promise.reject(new TypeError('Failed to fetch'));
  finished.resolve('of Ada');
  await pass(10_000);
  expect(readStorage(browser).get('results')).toBe('');
});

test('nothing of a tool is sent for a known visitor who has left after the widget was unmounted', async () => {
  const service = createService();
  const browser = createBrowser();
  const { conversation, finish } = await leaveWhileRunning(service, browser, tokenOf('ada'));
  conversation.dispose();
  const { conversation: next } = await startConversation(service, browser);
  await next.identify(tokenOf('grace'));
  finish();
  await pass(60_000);
  expect(results(service)).toEqual([]);
  expect(readStorage(browser).get('results')).toBe('');
});

test('of two calls of one step the second is done where its tool is offered after the first is done', async () => {
  const service = holdResults(createService());
  const { conversation } = await startConversation(service);
  await conversation.offerTool(goTo(() => 'done'));
  conversation.open(session);
  service.write(...ended(0, call('c1', 'go_to'), call('c2', 'read_map')));
  await pass(5_000);
  expect(results(service)).toEqual([{ callId: 'c1', output: 'done' }]);
  await conversation.offerTool(toolOf('read_map', () => 'read'));
  await pass(60_000);
  expect(results(service).slice(1)).toEqual([{ callId: 'c2', output: 'read' }]);
});

test('of two calls of one step the second is done after a reload between their results', async () => {
  const service = holdResults(createService());
  const browser = createBrowser();
  const { conversation } = await startConversation(service, browser);
  await conversation.offerTool(goTo(() => 'done'));
  await conversation.offerTool(toolOf('read_map', () => new Promise(() => {})));
  conversation.open(session);
  service.write(...ended(0, call('c1', 'go_to'), call('c2', 'read_map')));
  await pass(5_000);
  expect(results(service)).toEqual([{ callId: 'c1', output: 'done' }]);
  conversation.dispose();
  const next = await startConversation(service, browser);
  const run = vi.fn(() => 'read');
  await next.conversation.offerTool(goTo(() => 'done'));
  await next.conversation.offerTool(toolOf('read_map', run));
  await pass(60_000);
  expect(run).toHaveBeenCalledTimes(1);
  expect(results(service).slice(1)).toEqual([{ callId: 'c2', output: 'read' }]);
});

test('a call is done after an approval of the same step was given', async () => {
  const service = createService();
  const { conversation } = await startConversation(service);
  conversation.open(session);
  const request = {
    requestId: 'r1',
    kind: 'tool-approval',
    prompt: 'Approve',
    action: { kind: 'tool-call', callId: 'c2', toolName: 'refund', input: {} },
    display: 'confirmation',
    allowFreeform: false,
    options: [{ id: 'approve', label: 'Yes' }],
  };
  service.write(
    ...ended(
      0,
      { type: 'input.requested', data: { ...turn, stepIndex: 0, requests: [request] } },
      call('c1', 'go_to'),
    ),
    ...ended(1, { type: 'input.answered', data: { ...turnAt(1), requestId: 'r1', optionId: 'approve' } }),
  );
  await pass(3_000);
  await conversation.offerTool(goTo(() => 'done'));
  await pass(60_000);
  expect(results(service)).toEqual([{ callId: 'c1', output: 'done' }]);
});

test('a call that the agent has gone on without is not done', async () => {
  const service = createService();
  const { conversation } = await startConversation(service);
  const run = vi.fn(() => 'done');
  await conversation.offerTool(goTo(run));
  const answer = { ...turnAt(1), stepIndex: 0, message: 'Never mind.', finishReason: 'stop' };
  // A message that was replaced leaves what it asked of the page open in the log.
  service.write(...delegated, ...ended(1, { type: 'message.completed', data: answer }));
  conversation.open(session);
  await pass(60_000);
  expect(conversation.transcript.value.turns).toHaveLength(2);
  expect(run).not.toHaveBeenCalled();
});

test('a call that the agent was stopped in going on without is not done', async () => {
  const service = createService();
  const { conversation } = await startConversation(service);
  const run = vi.fn(() => 'done');
  await conversation.offerTool(goTo(run));
  service.write(
    ...delegated,
    { type: 'turn.started', data: turnAt(1) },
    { type: 'message.received', data: { ...turnAt(1), message: 'Something else' } },
    { type: 'turn.cancelled', data: turnAt(1) },
    { type: 'session.waiting', data: { wait: 'next-user-message', continuationToken: 't1' } },
  );
  conversation.open(session);
  await pass(60_000);
  expect(conversation.transcript.value.turns).toHaveLength(2);
  expect(run).not.toHaveBeenCalled();
});

/** A conversation that is disposed of while its tool runs, and another in its place; `finish` ends the tool. */
async function remountWhileRunning(service: ReturnType<typeof createService>) {
  const tab = createTabs().openTab();
  const finished = Promise.withResolvers<string>();
  const run = vi.fn(() => finished.promise);
  const before = await startConversation(service, tab);
  await before.conversation.offerTool(goTo(run));
  before.conversation.open(session);
  service.write(...delegated);
  await pass(2_000);
  expect(run).toHaveBeenCalledTimes(1);
  return {
    run,
    before: before.conversation,
    finish: () => finished.resolve('done'),
    remount: async () => {
      before.conversation.dispose();
      const { conversation } = await startConversation(service, tab);
      await conversation.offerTool(goTo(run));
      await pass(3_000);
    },
  };
}

test('a tool that runs while the widget is unmounted and mounted again runs once', async () => {
  const service = holdResults(createService());
  const { run, finish, remount } = await remountWhileRunning(service);
  await remount();
  expect(run).toHaveBeenCalledTimes(1);
  finish();
  await pass(60_000);
  expect(results(service)).toEqual([{ callId: 'c1', output: 'done' }]);
  expect(run).toHaveBeenCalledTimes(1);
});

test.for(['before', 'while'] as const)(
  'a tool runs once where the widget is mounted again %s its result is sent without a network',
  async (when) => {
    const service = createService();
    const { run, finish, remount } = await remountWhileRunning(service);
    service.respond = () => Promise.reject(new TypeError('Failed to fetch'));
    if (when === 'while') finish();
    await pass(2_000);
    await remount();
    finish();
    await pass(120_000);
    expect(run).toHaveBeenCalledTimes(1);
    // Nothing is said of a result that could not be sent.
    expect(results(service)).not.toEqual([]);
    for (const given of results(service)) expect(given).toEqual({ callId: 'c1', output: 'done' });
  },
);

test('who has logged out while a tool runs is sent nothing of it, also once the widget is unmounted', async () => {
  const service = createService();
  const { before, finish, remount } = await remountWhileRunning(service);
  await before.logout();
  await remount();
  finish();
  await pass(60_000);
  expect(results(service)).toEqual([]);
});

test('who logs out once the widget is mounted again is sent nothing of a tool that still runs', async () => {
  const service = createService();
  const tab = createTabs().openTab();
  const finished = Promise.withResolvers<string>();
  const { conversation } = await startConversation(service, tab);
  await conversation.offerTool(goTo(() => finished.promise));
  conversation.open(session);
  service.write(...delegated);
  await pass(2_000);
  conversation.dispose();
  const { conversation: next } = await startConversation(service, tab);
  await next.logout();
  finished.resolve('done');
  await pass(60_000);
  expect(results(service)).toEqual([]);
  expect(readStorage(tab).get('results')).toBe('');
});
