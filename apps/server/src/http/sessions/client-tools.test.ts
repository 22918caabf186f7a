import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { type SessionEvent, sessionEventSchema } from '@parley/protocol/event';
import {
  type SharedService,
  type TestAgent,
  asked,
  dataOf,
  said,
  sharedService,
  typesOf,
} from '../../testing/visitor.ts';

const goTo = { call: 'go_to', input: { page: '/pricing' } };
const script = [
  { when: 'go there', steps: [{ say: 'Going.' }, goTo, { say: 'You see {{result}}.' }] },
  { when: 'both', steps: [goTo, { call: 'read_cart' }, { say: 'Both: {{result}}.' }] },
  {
    when: 'refund',
    steps: [{ call: 'refund', input: { name: 'Ada' } }, goTo, { say: 'After: {{result}}.' }],
  },
  { when: 'look', steps: [{ call: 'look', input: { name: 'x' } }, goTo, { say: 'Then: {{result}}.' }] },
  {
    when: 'wonder',
    steps: [
      goTo,
      { ask: { prompt: 'Which?', options: [{ id: 'a', label: 'A' }] } },
      { say: 'Chosen: {{result}}.' },
    ],
  },
  { steps: [{ say: 'Heard {{input}}' }] },
];
const parameters = { type: 'object', properties: { page: { type: 'string' } } };
const tools = [
  { name: 'go_to', description: 'Shows a page', parameters },
  { name: 'read_cart', description: 'Reads the cart', parameters: { type: 'object' } },
];

let service: SharedService;
let agent: TestAgent;
beforeAll(async () => {
  service = await sharedService();
  agent = await service.agent(script, {
    tools: [{ name: 'refund', approval: 'always' }, { name: 'look' }],
  });
});

const start = (message: string, more: object = { clientTools: tools }) =>
  agent.visitor.start(message, { ...more });

const delegated = (events: readonly SessionEvent[]) => dataOf(events, 'action.delegated');
const results = (events: readonly SessionEvent[]) => dataOf(events, 'action.result');
const turn = (events: readonly SessionEvent[], sequence: number) =>
  events.filter((event) => 'data' in event && 'sequence' in event.data && event.data.sequence === sequence);

/** The order of a golden transcript, without what the embedded model has and real ones may not. */
function golden(name: string): string[] {
  const file = new URL(`../../../../../packages/protocol/fixtures/${name}.ndjson`, import.meta.url);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return comparable(lines.map((line) => sessionEventSchema.parse(JSON.parse(line))));
}

const comparable = (events: readonly SessionEvent[]): string[] =>
  typesOf(events.filter(({ type }) => type !== 'action.appended'));

test('the golden transcripts show what the service does', async () => {
  const returned = await start('go there');
  const [call] = delegated(await returned.log(1));
  await returned.send({ actionResults: [{ callId: call?.callId, output: 'x' }] });
  expect(comparable(await returned.log(2))).toEqual(golden('delegated'));

  const instead = await start('go there');
  await instead.log(1);
  await instead.send({ message: 'Never mind' });
  expect(comparable(await instead.log(2))).toEqual(golden('delegated-not-answered'));

  const mixed = await start('refund');
  const before = await mixed.log(1);
  await mixed.send({ actionResults: [{ callId: delegated(before)[0]?.callId, output: 'x' }] });
  await mixed.log(2);
  const [approval] = asked(before);
  await mixed.send({ inputResponses: [{ requestId: approval?.requestId, optionId: 'approve' }] });
  expect(comparable(await mixed.log(3))).toEqual(golden('delegated-and-approval'));
});

test('a call of the page’s tool parks the turn, and its result goes on in a new one', async () => {
  const session = await start('go there');
  const before = await session.log(1);
  expect(typesOf(before)).toEqual([
    'session.started',
    'turn.started',
    'message.received',
    'step.started',
    'message.appended',
    'message.completed',
    'step.completed',
    'action.delegated',
    'turn.completed',
    'session.waiting',
  ]);
  const [call] = delegated(before);
  expect(call).toEqual({
    sequence: 0,
    turnId: 'turn_0',
    stepIndex: 0,
    callId: expect.any(String),
    toolName: 'go_to',
    input: { page: '/pricing' },
  });

  const answer = await session.send({ actionResults: [{ callId: call?.callId, output: { price: 4 } }] });
  expect(answer).toMatchObject({ status: 200, body: { ok: true, sessionId: session.id } });
  const after = (await session.log(2)).slice(before.length);
  expect(typesOf(after)).toEqual([
    'turn.started',
    'step.started',
    'action.result',
    'message.appended',
    'message.completed',
    'step.completed',
    'turn.completed',
    'session.waiting',
  ]);
  expect(results(after)).toEqual([
    {
      sequence: 1,
      turnId: 'turn_1',
      stepIndex: 0,
      status: 'completed',
      result: { kind: 'tool-result', callId: call?.callId, toolName: 'go_to', output: { price: 4 } },
    },
  ]);
  expect(said(after)).toEqual(['You see {"price":4}.']);
});

test('what the page could not do is told to the model in the page’s words', async () => {
  const session = await start('go there');
  const [call] = delegated(await session.log(1));
  await session.send({ actionResults: [{ callId: call?.callId, error: 'There is no such page' }] });
  const events = await session.log(2);
  expect(results(events)).toMatchObject([
    { status: 'failed', error: { code: 'ACTION_RESULT_FAILED', message: 'There is no such page' } },
  ]);
  expect(said(events).at(-1)).toBe('You see There is no such page.');
});

test('a message that comes instead closes the call and is answered at once', async () => {
  const session = await start('go there');
  const [call] = delegated(await session.log(1));
  await session.send({ message: 'Never mind' });
  const events = await session.log(2);
  expect(results(events)).toMatchObject([
    { turnId: 'turn_1', status: 'failed', result: { callId: call?.callId }, error: { code: 'NOT_ANSWERED' } },
  ]);
  expect(dataOf(events, 'step.started')).toHaveLength(2);
  expect(said(events).at(-1)).toBe('Heard Never mind');
});

test('a result along with a message: the call is answered first, then the message', async () => {
  const session = await start('go there');
  const [call] = delegated(await session.log(1));
  await session.send({ message: 'And now?', actionResults: [{ callId: call?.callId, output: 'ok' }] });
  expect(said(await session.log(2)).slice(1)).toEqual(['You see ok.', 'Heard And now?']);
});

test('several calls wait for all their results, which may come one by one', async () => {
  const session = await start('both');
  const [first, second] = delegated(await session.log(1));
  await session.send({ actionResults: [{ callId: second?.callId, output: ['hat'] }] });
  const held = turn(await session.log(2), 1);
  expect(typesOf(held)).toEqual(['turn.started', 'action.result', 'turn.completed']);
  await session.send({ actionResults: [{ callId: first?.callId, output: 'there' }] });
  const events = await session.log(3);
  expect(said(events)).toEqual(['Both: ["hat"].']);
  expect(results(events).map(({ turnId }) => turnId)).toEqual(['turn_1', 'turn_2']);
});

test('of one step, what the service runs runs at once, and an approval and the page are waited for together', async () => {
  const looking = await start('look');
  const parked = await looking.log(1);
  expect(results(parked)).toMatchObject([{ status: 'completed', result: { toolName: 'look' } }]);
  expect(delegated(parked)).toHaveLength(1);

  for (const order of ['approval first', 'result first']) {
    const session = await start('refund');
    const before = await session.log(1);
    const [approval] = asked(before);
    const [call] = delegated(before);
    const answers = [
      { inputResponses: [{ requestId: approval?.requestId, optionId: 'approve' }] },
      { actionResults: [{ callId: call?.callId, output: 'shown' }] },
    ];
    const [one, other] = order === 'approval first' ? answers : answers.reverse();
    await session.send(one!);
    const held = turn(await session.log(2), 1);
    expect(typesOf(held)).toEqual([
      'turn.started',
      order === 'approval first' ? 'input.answered' : 'action.result',
      'turn.completed',
    ]);
    await session.send(other!);
    const events = await session.log(3);
    const outcomes = results(events).map(({ result, status }) => `${result.toolName} ${status}`);
    expect(outcomes.sort()).toEqual(['go_to completed', 'refund completed']);
    expect(said(events)).toEqual(['After: shown.']);
  }
});

test('a denial and a result settle a step together', async () => {
  const session = await start('refund');
  const before = await session.log(1);
  await session.send({
    inputResponses: [{ requestId: asked(before)[0]?.requestId, optionId: 'deny' }],
    actionResults: [{ callId: delegated(before)[0]?.callId, output: 'shown' }],
  });
  const events = await session.log(2);
  expect(results(events).map(({ result, status }) => [result.toolName, status])).toEqual([
    ['refund', 'rejected'],
    ['go_to', 'completed'],
  ]);
  expect(said(events)).toEqual(['After: shown.']);
});

test('a message while an approval is open closes the page’s call, and waits for the approval', async () => {
  const session = await start('refund');
  const [approval] = asked(await session.log(1));
  await session.send({ message: 'Forget the page' });
  const held = turn(await session.log(2), 1);
  expect(results(held)).toMatchObject([{ error: { code: 'NOT_ANSWERED' } }]);
  expect(said(held)).toEqual([]);
  await session.send({ inputResponses: [{ requestId: approval?.requestId, optionId: 'approve' }] });
  expect(said(await session.log(3)).at(-1)).toBe('Heard Forget the page');
});

test('after the approval a message closes the page’s call: what was approved runs, then both are answered', async () => {
  const session = await start('refund');
  const [approval] = asked(await session.log(1));
  await session.send({ inputResponses: [{ requestId: approval?.requestId, optionId: 'approve' }] });
  await session.log(2);
  await session.send({ message: 'Forget the page' });
  const last = turn(await session.log(3), 2);
  const outcomes = results(last).map(({ result, status }) => `${result.toolName} ${status}`);
  expect(outcomes.sort()).toEqual(['go_to failed', 'refund completed']);
  expect(said(last).at(-1)).toBe('Heard Forget the page');
});

test('the page’s answer does not pass over a question that the visitor has still to answer', async () => {
  const session = await start('wonder');
  const before = await session.log(1);
  const [question] = asked(before);
  await session.send({ actionResults: [{ callId: delegated(before)[0]?.callId, output: 'there' }] });
  expect(said(await session.log(2))).toEqual([]);
  await session.send({ inputResponses: [{ requestId: question?.requestId, optionId: 'a' }] });
  expect(said(await session.log(3))).toEqual(['Chosen: a.']);
});

test('a message passes over both the question and the page’s call', async () => {
  const session = await start('wonder');
  await session.log(1);
  await session.send({ message: 'Something else' });
  expect(said(await session.log(2))).toEqual(['Heard Something else']);
});

test('results that nobody waits for are accepted and change nothing', async () => {
  const session = await start('go there');
  const [call] = delegated(await session.log(1));
  const give = (callId: unknown, output: string) => session.send({ actionResults: [{ callId, output }] });
  expect((await give('call_unknown', 'forged')).status).toBe(200);
  expect(typesOf(turn(await session.log(2), 1))).toEqual(['turn.started', 'turn.completed']);
  expect((await give(call?.callId, 'first')).status).toBe(200);
  await session.log(3);
  expect((await give(call?.callId, 'second')).status).toBe(200);
  const events = await session.log(4);
  expect(typesOf(turn(events, 3))).toEqual(['turn.started', 'turn.completed']);
  expect(results(events).map(({ result }) => result.output)).toEqual(['first']);
  expect(said(events)).toEqual(['Going.', 'You see first.']);
  await session.send({ message: 'on', actionResults: [{ callId: call?.callId, output: 'third' }] });
  expect(said(await session.log(5)).at(-1)).toBe('Heard on');
});

test('of two results for one call in one request the first counts', async () => {
  const session = await start('go there');
  const [call] = delegated(await session.log(1));
  const twice = ['first', 'second'].map((output) => ({ callId: call?.callId, output }));
  await session.send({ actionResults: twice });
  expect(said(await session.log(2)).at(-1)).toBe('You see first.');
});

test('tools stay until they are replaced, and come with a follow-up too', async () => {
  const session = await start('go there', {});
  expect(said(await session.log(1)).at(-1)).toContain('I cannot use go_to here.');
  await session.send({ message: 'go there', clientTools: tools });
  expect(delegated(await session.log(2))).toHaveLength(1);
  await session.send({ message: 'hello' });
  await session.log(3);
  await session.send({ message: 'go there' });
  expect(delegated(await session.log(4))).toHaveLength(2);
  await session.send({ message: 'go there', clientTools: [] });
  expect(said(await session.log(5)).at(-1)).toContain('I cannot use go_to here.');
});

test('a call waits for its result although the tools were replaced meanwhile', async () => {
  const session = await start('both');
  const [first, second] = delegated(await session.log(1));
  await session.send({ clientTools: [], actionResults: [{ callId: first?.callId, output: 1 }] });
  await session.log(2);
  await session.send({ actionResults: [{ callId: second?.callId, output: 2 }] });
  expect(said(await session.log(3))).toEqual(['Both: 2.']);
});

test('a page cannot take the name of a tool of the agent, and a tool added later goes before the page’s', async () => {
  const clientTools = [tools[0], { ...tools[0], name: 'refund' }];
  const refused = await agent.visitor.post('', { message: 'x', clientTools });
  expect(refused).toMatchObject({
    status: 400,
    body: { code: 'BAD_REQUEST', issues: [{ path: ['clientTools', 1, 'name'] }] },
  });
  const session = await start('hello');
  expect((await session.send({ message: 'x', clientTools })).status).toBe(400);

  const later = await service.agent(script, { tools: [{ name: 'look' }] });
  const open = await later.visitor.start('hello', { clientTools: tools });
  await open.log(1);
  await service.settings('POST', '/tools', {
    agentId: later.agentId,
    kind: 'http',
    name: 'go_to',
    description: 'Goes',
    parameters,
    request: { method: 'POST', url: `${service.endpoint.url}/go_to` },
  });
  await open.send({ message: 'go there' });
  const events = await open.log(2);
  expect(delegated(events)).toEqual([]);
  expect(results(events)).toMatchObject([{ status: 'completed', result: { toolName: 'go_to' } }]);
});

test('clearing gives the call up, for the page too', async () => {
  const session = await start('go there');
  const [call] = delegated(await session.log(1));
  await session.control('clear');
  expect(results(await session.log(2))).toMatchObject([
    { status: 'rejected', result: { callId: call?.callId }, error: { code: 'NOT_ANSWERED' } },
  ]);
  await session.send({ actionResults: [{ callId: call?.callId, output: 'late' }] });
  expect(said(await session.log(3))).toEqual(['Going.']);
});

test('the results of a page are bounded like any message', async () => {
  const session = await start('go there');
  const [call] = delegated(await session.log(1));
  const of = (size: number) => ({ actionResults: [{ callId: call?.callId, output: 'x'.repeat(size) }] });
  expect((await session.send(of(256 * 1024))).status).toBe(413);
  expect((await session.send(of(128 * 1024))).status).toBe(400);
  expect((await session.send({ actionResults: [] })).status).toBe(400);
});
