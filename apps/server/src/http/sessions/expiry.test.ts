import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type TestService, provision, request, testService } from '../../testing/test-service.ts';
import {
  Reader,
  type SharedService,
  Visitor,
  VisitorSession,
  asked,
  dataOf,
  said,
  sharedService,
  typesOf,
} from '../../testing/visitor.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

const passing = { name: 'erase', approval: 'always', approvalExpiresAfterMs: 1_000 };
const erase = (name: string) => ({ call: 'erase', input: { name } });
const at = { sequence: 0, turnId: 'turn_0' };
const expired = (reader: Reader) => reader.events.some(({ type }) => type === 'input.expired');

/** The types of everything after the nth boundary. */
function since(events: Reader['events'], boundary: number): string[] {
  const ends = events.flatMap(({ type }, index) => (type === 'session.waiting' ? [index + 1] : []));
  return typesOf(events.slice(ends[boundary - 1]));
}

/** What came until the session had waited so many times. */
function until(events: Reader['events'], boundary: number): Reader['events'] {
  const ends = events.flatMap(({ type }, index) => (type === 'session.waiting' ? [index + 1] : []));
  return events.slice(0, ends[boundary - 1]);
}

/** Somebody who speaks to an agent of a service of its own. */
async function visitorOf(own: TestService, steps: readonly unknown[]): Promise<Visitor> {
  const { tenantId, agentId } = await provision(own);
  const model = { provider: 'scripted', script: [{ steps }] };
  await own.settings('PATCH', `/agents/${agentId}`, { model });
  await own.settings('POST', '/tools', {
    agentId,
    kind: 'http',
    description: 'A tool',
    parameters: { type: 'object', properties: { name: { type: 'string' } } },
    request: { method: 'POST', url: 'https://tools.example/{{name}}' },
    ...passing,
  });
  const { key } = (await own.settings('POST', '/keys', { tenantId, agentId, kind: 'publishable' })).body;
  return new Visitor(own.url, key);
}

test.concurrent('an approval that nobody gave in time is over, and the agent goes on as after a denial', async () => {
  const { visitor } = await service.agent(
    [{ steps: [{ say: 'May I?' }, erase('late'), { say: 'It says: {{result}}' }] }],
    { tools: [passing] },
  );
  const session = await visitor.start('go');
  const [pending] = asked(await session.log(1));
  const { requestId, action } = pending!;
  const events = await session.log(2);
  expect(since(events, 1)).toEqual([
    'input.expired',
    'action.result',
    'turn.started',
    'step.started',
    'message.appended',
    'message.completed',
    'step.completed',
    'turn.completed',
    'session.waiting',
  ]);
  expect(dataOf(events, 'input.expired')).toEqual([{ ...at, requestId }]);
  const code = 'TOOL_EXECUTION_DENIED';
  const message = 'Nobody approved this in time.';
  expect(dataOf(events, 'action.result')).toEqual([
    {
      ...at,
      stepIndex: 0,
      status: 'rejected',
      error: { code, message },
      result: {
        kind: 'tool-result',
        callId: action.callId,
        toolName: 'erase',
        isError: true,
        output: { approval: { requestId, status: 'expired' }, code, message, tool: { result: 'not_run' } },
      },
    },
  ]);
  expect(said(events)[1]).toBe('It says: Nobody approved this call in time.');

  await session.send({ inputResponses: [{ requestId, optionId: 'approve' }] });
  const after = await session.log(3);
  expect(dataOf(after, 'message.received').map((data) => data.message)).toEqual(['go', 'Yes']);
  expect(dataOf(after, 'input.answered')).toEqual([]);
  expect(service.endpoint.calls.filter(({ path }) => path === '/erase/late')).toEqual([]);
});

test.concurrent('what was said meanwhile is answered once the approval is over', async () => {
  const { visitor } = await service.agent(
    [{ when: 'hello', steps: [{ say: 'Hi!' }] }, { steps: [erase('meanwhile'), { say: '{{result}}' }] }],
    { tools: [passing] },
  );
  const session = await visitor.start('go');
  await session.send({ message: 'hello' });
  const reader = await session.follow();
  await reader.until(({ events }) => said(events).includes('Hi!'));
  expect(said(reader.events)).toEqual(['Nobody approved this call in time.', 'Hi!']);
  reader.close();
});

test.concurrent('of two approvals the one that expires leaves the other open', async () => {
  const { visitor } = await service.agent(
    [
      {
        steps: [erase('first'), { call: 'keep', input: { name: 'second' } }, { say: 'It says: {{result}}' }],
      },
    ],
    { tools: [passing, { name: 'keep', approval: 'always' }] },
  );
  const session = await visitor.start('go');
  const [first, second] = asked(await session.log(1));
  expect(since(await session.log(2), 1)).toEqual([
    'input.expired',
    'turn.started',
    'turn.completed',
    'session.waiting',
  ]);
  await session.send({ inputResponses: [{ requestId: second!.requestId, optionId: 'approve' }] });
  const events = await session.log(3);
  expect(dataOf(events, 'input.expired')).toEqual([{ ...at, requestId: first!.requestId }]);
  expect(dataOf(events, 'action.result').map(({ status, result }) => [result.toolName, status])).toEqual([
    ['erase', 'rejected'],
    ['keep', 'completed'],
  ]);
  expect(service.endpoint.calls.filter(({ path }) => path === '/erase/first')).toEqual([]);
});

test.concurrent('what is asked again while nobody is there is not asked for ever', async () => {
  const { visitor } = await service.agent(
    [
      { when: 'hello', steps: [{ say: 'Hi!' }] },
      { steps: [erase('one'), { say: 'Again:' }, erase('two'), { say: 'And again:' }, erase('three')] },
    ],
    { tools: [passing] },
  );
  const session = await visitor.start('go');
  expect(asked(await session.log(2))).toHaveLength(2);
  const later = await visitor.start('go');
  await later.log(2);
  expect(asked(await session.log(2))).toHaveLength(2);
  const last = await visitor.start('go');
  await last.log(2);
  await session.send({ message: 'hello' });
  // The third is over soon as well.
  const events = until(await session.log(3), 3);
  expect(dataOf(events, 'input.expired')).toHaveLength(2);
  expect(asked(events)).toHaveLength(3);
});

test.concurrent('what is said to what was asked again is answered once that is over', async () => {
  const { visitor } = await service.agent(
    [
      { when: 'hello', steps: [{ say: 'Hi!' }] },
      { steps: [erase('one'), { say: 'Again:' }, erase('two'), { say: 'Done.' }] },
    ],
    { tools: [passing] },
  );
  const session = await visitor.start('go');
  await session.log(2);
  await session.send({ message: 'hello' });
  const events = await session.log(4);
  expect(dataOf(events, 'input.expired')).toHaveLength(2);
  expect(said(events).at(-1)).toBe('Hi!');
});

test.concurrent('an approval given in time takes effect', async () => {
  const { visitor } = await service.agent([{ steps: [erase('in-time'), { say: 'Done.' }] }], {
    tools: [{ ...passing, approvalExpiresAfterMs: 60_000 }],
  });
  const session = await visitor.start('go');
  const [pending] = asked(await session.log(1));
  await session.send({ inputResponses: [{ requestId: pending!.requestId, optionId: 'approve' }] });
  expect(said(await session.log(2))).toEqual(['Done.']);
  expect(service.endpoint.calls.filter(({ path }) => path === '/erase/in-time')).toHaveLength(1);
});

test('a conversation that was cleared or has ended is left alone', async () => {
  // The time is over when the test says so, and not before the conversations are cleared and ended.
  vi.useFakeTimers({ toFake: ['Date'] });
  const own = await testService({}, { clock: () => Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  const visitor = await visitorOf(own, [erase('left'), { say: 'Done.' }]);
  const cleared = await visitor.start('go');
  await cleared.log(1);
  await cleared.control('clear');
  const reset = await visitor.start('go');
  await reset.log(1);
  await reset.control('reset');
  // Whoever looked for the second one to be over has looked for those before.
  for (let round = 0; round < 2; round += 1) {
    const later = await visitor.start('go');
    await later.log(1);
    vi.setSystemTime(Date.now() + 1_000);
    expect(dataOf(await later.log(2), 'input.expired')).toHaveLength(1);
  }
  expect(typesOf(await cleared.log(2)).slice(-2)).toEqual(['context.cleared', 'session.waiting']);
  expect(dataOf(await reset.log(1), 'input.expired')).toEqual([]);
});

test('the time runs on while the service does not', async () => {
  const first = await testService();
  const visitor = await visitorOf(first, [erase('restart'), { say: 'It says: {{result}}' }]);
  const session = await visitor.start('go');
  expect(asked(await session.log(1))).toHaveLength(1);
  await first.stop();

  const second = await testService({}, { stored: first.stored });
  const key = visitor.headers['authorization']!.replace('Bearer ', '');
  const events = await new VisitorSession(new Visitor(second.url, key), session.id, session.token).log(2);
  expect(dataOf(events, 'input.expired')).toHaveLength(1);
  expect(said(events)).toEqual(['It says: Nobody approved this call in time.']);
});

test.concurrent('a Chat conversation finds out when it goes on', async () => {
  const agent = await service.agent(
    [
      { when: 'hello', steps: [{ say: 'Hi!' }] },
      { when: 'no longer open', steps: [{ say: ' Ask again.' }] },
      { steps: [erase('chat'), { say: '{{result}}' }] },
    ],
    { tools: [passing], agent: { approvalsOnChat: true } },
  );
  const send = (body: object, accept: string) =>
    request(`${service.url}/api/v1/agent/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${agent.secret.key}`, 'content-type': 'application/json', accept },
      body: JSON.stringify({ id: 'c', ...body }),
    });
  const { body } = await send({ text: 'go' }, 'text/event-stream');
  const [, approvalId, toolCallId] = /"approvalId":"([^"]+)","toolCallId":"([^"]+)"/.exec(String(body))!;
  const later = await (await agent.visitor.start('go')).follow();
  await later.until(expired);
  later.close();
  const part = {
    type: 'dynamic-tool',
    toolName: 'erase',
    toolCallId,
    state: 'approval-responded',
    input: {},
  };
  const approved = { ...part, approval: { id: approvalId, approved: true } };
  const message = { id: 'm', role: 'assistant', parts: [approved] };
  const late = await send({ message }, 'application/json');
  expect(late.body.text).toBe('Nobody approved this call in time. Ask again.');
  expect(await send({ message }, 'application/json')).toMatchObject({
    status: 400,
    body: { error: 'Nothing in this conversation waits for this answer.' },
  });
  expect((await send({ text: 'hello' }, 'application/json')).body.text).toBe('Hi!');
  expect(service.endpoint.calls.filter(({ path }) => path === '/erase/chat')).toEqual([]);
});

test('only an approval that is asked for can expire', async () => {
  const { agentId } = await service.agent([{ steps: [{ say: 'ok' }] }], { tools: [passing] });
  const [tool] = (await service.settings('GET', `/tools?agentId=${agentId}`)).body.items;
  expect(tool.approvalExpiresAfterMs).toBe(1_000);
  const path = `/tools/${tool.id}`;
  const refused = await service.settings('PATCH', path, { approval: 'never' });
  expect(refused).toMatchObject({ status: 400, body: { issues: [{ path: ['approvalExpiresAfterMs'] }] } });
  for (const approvalExpiresAfterMs of [999, 30 * 86_400_000 + 1])
    expect((await service.settings('PATCH', path, { approvalExpiresAfterMs })).status).toBe(400);
  const patched = await service.settings('PATCH', path, { approval: 'never', approvalExpiresAfterMs: null });
  expect(patched.status).toBe(200);
  expect(patched.body).not.toHaveProperty('approvalExpiresAfterMs');
});
