import { readFileSync } from 'node:fs';
import { type SessionEvent, sessionEventSchema } from '@parley/protocol/event';
import { beforeAll, expect, test } from 'vitest';
import { type SharedService, asked, dataOf, said, sharedService, typesOf } from '../../testing/visitor.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

const opening = ['session.started', 'turn.started', 'message.received', 'step.started'];
const spoken = ['message.appended', 'message.completed'];
const ended = ['step.completed', 'turn.completed', 'session.waiting'];
const parked = ['step.completed', 'input.requested', 'turn.completed', 'session.waiting'];
const answer = [...spoken, ...ended];

const gated = { name: 'erase', approval: 'always' };
const erase = (name: string) => ({ call: 'erase', input: { name } });
const colours = [
  { id: 'red', label: 'Crimson' },
  { id: 'blue', label: 'Navy' },
];
const colour = (more: object) => ({ ask: { prompt: 'Which colour?', options: colours, ...more } });

/** The order of a golden transcript, without what the embedded model has and real ones may not. */
function golden(name: string): string[] {
  const file = new URL(`../../../../../packages/protocol/fixtures/${name}.ndjson`, import.meta.url);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return comparable(lines.map((line) => sessionEventSchema.parse(JSON.parse(line))));
}

function comparable(events: readonly SessionEvent[]): string[] {
  return typesOf(events.filter(({ type }) => type !== 'action.appended' && type !== 'action.partial'));
}

/** The types after the nth boundary. */
function since(events: readonly SessionEvent[], boundary: number): string[] {
  const ends = events.flatMap(({ type }, index) => (type === 'session.waiting' ? [index + 1] : []));
  return comparable(events.slice(ends[boundary - 1]));
}

function onlyRequest(events: readonly SessionEvent[]) {
  const [request, ...others] = asked(events);
  expect(others).toEqual([]);
  return request!;
}

test('plain turns', async () => {
  const { visitor } = await service.agent([{ steps: [{ say: '{{input}}' }] }]);
  const session = await visitor.start('one two');
  await session.send({ message: 'three' });
  const events = await session.log(2);
  expect(comparable(events)).toEqual(golden('plain'));
  expect(said(events)).toEqual(['one two', 'three']);
  expect(dataOf(events, 'turn.started')).toMatchObject([
    { sequence: 0, turnId: 'turn_0' },
    { sequence: 1, turnId: 'turn_1' },
  ]);
  expect(dataOf(events, 'message.received')[0]).toEqual({
    sequence: 0,
    turnId: 'turn_0',
    message: 'one two',
    parts: [{ type: 'text', text: 'one two' }],
  });
  expect(dataOf(events, 'session.waiting')).toEqual(
    [0, 1].map(() => ({ wait: 'next-user-message', continuationToken: session.token })),
  );
});

test('a tool call after a text', async () => {
  const { visitor } = await service.agent(
    [{ steps: [{ say: 'Looking.' }, { call: 'look', input: { name: 'x' } }, { say: 'It is {{result}}.' }] }],
    { tools: [{ name: 'look' }] },
  );
  const events = await (await visitor.start('go')).log(1);
  expect(comparable(events)).toEqual(golden('tool'));
  expect(dataOf(events, 'message.completed').map(({ finishReason }) => finishReason)).toEqual([
    'tool-calls',
    'stop',
  ]);
  const [request] = dataOf(events, 'actions.requested');
  const [action] = request!.actions;
  expect(action).toMatchObject({ kind: 'tool-call', toolName: 'look', input: { name: 'x' } });
  expect(dataOf(events, 'action.result')).toEqual([
    {
      sequence: 0,
      turnId: 'turn_0',
      stepIndex: 0,
      status: 'completed',
      result: {
        kind: 'tool-result',
        callId: action!.callId,
        toolName: 'look',
        output: { done: '/look/x' },
      },
    },
  ]);
  expect(dataOf(events, 'action.appended').map(({ inputDelta }) => inputDelta)).toEqual(['{"name":"x"}']);
  expect(dataOf(events, 'step.completed').map(({ finishReason }) => finishReason)).toEqual([
    'tool-calls',
    'stop',
  ]);
  expect(said(events)[1]).toBe('It is {"done":"/look/x"}.');
});

test('two calls of one step are two requests, and a failing one is told to the model', async () => {
  const { visitor } = await service.agent(
    [
      {
        steps: [
          { call: 'look', input: { name: 'y' } },
          { call: 'break', input: { name: 'z' } },
          { say: 'It says {{result}}' },
        ],
      },
    ],
    { tools: [{ name: 'look' }, { name: 'break', path: '/broken/{{name}}' }] },
  );
  const events = await (await visitor.start('go')).log(1);
  expect(comparable(events)).toEqual(golden('tool-failed'));
  const failed = dataOf(events, 'action.result').find(({ status }) => status === 'failed');
  expect(failed).toMatchObject({
    error: { code: 'HTTP_STATUS', message: expect.stringContaining('500') },
    result: { isError: true, output: expect.stringContaining('500') },
  });
  expect(said(events)).toEqual([expect.stringContaining('500')]);
});

test('a call with invalid arguments has no event; the model alone is told', async () => {
  const { visitor } = await service.agent(
    [{ steps: [{ call: 'look', input: { name: 7 } }, { say: 'It says {{result}}' }] }],
    { tools: [{ name: 'look' }] },
  );
  const events = await (await visitor.start('go')).log(1);
  expect(comparable(events)).toEqual([...opening, 'step.completed', 'step.started', ...answer]);
  expect(said(events)[0]).toMatch(/name/);
});

test('a tool that is not there is not called', async () => {
  const { visitor } = await service.agent([{ steps: [{ call: 'look', input: {} }] }]);
  const events = await (await visitor.start('go')).log(1);
  expect(comparable(events)).toEqual([...opening, ...answer]);
  expect(said(events)).toEqual(['I cannot use look here.']);
});

test('an approval, approved', async () => {
  const { visitor } = await service.agent(
    [{ steps: [{ say: 'May I?' }, erase('approved'), { say: 'It says {{result}}' }] }],
    { tools: [gated] },
  );
  const session = await visitor.start('go');
  const request = onlyRequest(await session.log(1));
  expect(request).toEqual({
    requestId: expect.any(String),
    kind: 'tool-approval',
    prompt: 'Approve tool call: erase',
    display: 'confirmation',
    allowFreeform: false,
    options: [
      { id: 'approve', label: 'Yes' },
      { id: 'deny', label: 'No' },
    ],
    action: {
      kind: 'tool-call',
      callId: expect.any(String),
      toolName: 'erase',
      input: { name: 'approved' },
    },
  });
  expect(request.requestId).not.toBe(request.action.callId);
  expect(service.endpoint.calls.filter(({ path }) => path === '/erase/approved')).toEqual([]);

  const response = { requestId: request.requestId, optionId: 'approve' };
  expect((await session.send({ inputResponses: [response] })).status).toBe(200);
  const events = await session.log(2);
  expect(comparable(events)).toEqual(golden('approval-approved'));
  expect(dataOf(events, 'input.answered')).toEqual([
    { sequence: 1, turnId: 'turn_1', ...response, by: 'visitor' },
  ]);
  expect(dataOf(events, 'action.result')).toMatchObject([
    { turnId: 'turn_1', stepIndex: 0, status: 'completed', result: { callId: request.action.callId } },
  ]);
  expect(service.endpoint.calls.filter(({ path }) => path === '/erase/approved')).toHaveLength(1);
});

test('an approval, denied: the result comes first, with the coordinates of the turn that asked', async () => {
  const { visitor } = await service.agent(
    [{ steps: [{ say: 'May I?' }, erase('denied'), { say: 'It says {{result}}' }] }],
    { tools: [gated] },
  );
  const session = await visitor.start('go');
  const { requestId, action } = onlyRequest(await session.log(1));
  await session.send({ inputResponses: [{ requestId, optionId: 'deny', text: 'canary reason' }] });
  const events = await session.log(2);
  expect(comparable(events)).toEqual(golden('approval-denied'));
  const at = { sequence: 0, turnId: 'turn_0' };
  expect(dataOf(events, 'input.answered')).toEqual([
    { ...at, requestId, optionId: 'deny', text: 'canary reason', by: 'visitor' },
  ]);
  const code = 'TOOL_EXECUTION_DENIED';
  const message = 'Tool execution was denied.';
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
        output: { approval: { requestId, status: 'denied' }, code, message, tool: { result: 'not_run' } },
      },
    },
  ]);
  expect(said(events)[1]).toMatch(/denied/);
  expect(said(events)[1]).not.toContain('canary');
  expect(service.endpoint.calls.filter(({ path }) => path === '/erase/denied')).toEqual([]);
});

test('an option that is not offered rejects the call', async () => {
  const { visitor } = await service.agent([{ steps: [erase('odd'), { say: '{{result}}' }] }], {
    tools: [gated],
  });
  const session = await visitor.start('go');
  const { requestId } = onlyRequest(await session.log(1));
  await session.send({ inputResponses: [{ requestId, optionId: 'Approve' }] });
  const [result] = dataOf(await session.log(2), 'action.result');
  expect(result).toMatchObject({
    status: 'rejected',
    error: { message: 'Invalid approval response.' },
    result: { output: { approval: { requestId, status: 'invalid' } } },
  });
  expect(service.endpoint.calls.filter(({ path }) => path === '/erase/odd')).toEqual([]);
});

test('two approvals: one answer is held, the last one lets both take effect', async () => {
  const { visitor } = await service.agent(
    [{ steps: [erase('first'), erase('second'), { say: 'It says {{result}}' }] }],
    { tools: [gated] },
  );
  const session = await visitor.start('go');
  const [first, second] = asked(await session.log(1));
  await session.send({ inputResponses: [{ requestId: first!.requestId, optionId: 'approve' }] });
  expect(since(await session.log(2), 1)).toEqual([
    'turn.started',
    'input.answered',
    'turn.completed',
    'session.waiting',
  ]);
  expect(service.endpoint.calls.filter(({ path }) => path === '/erase/first')).toEqual([]);
  await session.send({ inputResponses: [{ requestId: second!.requestId, optionId: 'deny' }] });
  const events = await session.log(3);
  expect(comparable(events)).toEqual(golden('approvals-partial'));
  expect(dataOf(events, 'action.result').map(({ status, turnId }) => [status, turnId])).toEqual([
    ['rejected', 'turn_0'],
    ['completed', 'turn_2'],
  ]);
  expect(service.endpoint.calls.filter(({ path }) => path === '/erase/first')).toHaveLength(1);
  expect(service.endpoint.calls.filter(({ path }) => path === '/erase/second')).toEqual([]);
});

test('an ungated call of the same step runs at once', async () => {
  const { visitor } = await service.agent(
    [{ steps: [{ call: 'look', input: { name: 'now' } }, erase('later'), { say: 'Done.' }] }],
    { tools: [{ name: 'look' }, gated] },
  );
  const session = await visitor.start('go');
  const events = await session.log(1);
  expect(comparable(events)).toEqual([
    ...opening,
    'actions.requested',
    'actions.requested',
    'action.result',
    ...parked,
  ]);
  await session.send({ inputResponses: [{ requestId: onlyRequest(events).requestId, optionId: 'approve' }] });
  expect(since(await session.log(2), 1)).toEqual([
    'turn.started',
    'input.answered',
    'step.started',
    'action.result',
    ...answer,
  ]);
});

test.each(['approve', ' APPROVE ', 'yes', '1'])('the text %j approves', async (text) => {
  const { visitor } = await service.agent([{ steps: [{ say: 'May I?' }, erase('text'), { say: 'Done.' }] }], {
    tools: [gated],
  });
  const session = await visitor.start('go');
  const { requestId } = onlyRequest(await session.log(1));
  await session.send({ message: text });
  const events = await session.log(2);
  expect(comparable(events)).toEqual(golden('approval-text-reply'));
  expect(dataOf(events, 'input.answered')).toMatchObject([{ requestId, optionId: 'approve' }]);
  expect(said(events)).toEqual(['May I?', 'Done.']);
});

test.each(['deny', 'No', '2'])('the text %j denies', async (text) => {
  const { visitor } = await service.agent([{ steps: [erase('text'), { say: '{{result}}' }] }], {
    tools: [gated],
  });
  const session = await visitor.start('go');
  await session.log(1);
  await session.send({ message: text });
  expect(since(await session.log(2), 1)).toEqual([
    'input.answered',
    'action.result',
    'turn.started',
    'message.received',
    'step.started',
    ...answer,
  ]);
});

test('text that answers nothing is held, and answered after the approval', async () => {
  const { visitor } = await service.agent(
    [
      { when: 'weather', steps: [{ say: 'Sunny.' }] },
      { steps: [{ say: 'May I?' }, erase('held'), { say: 'Erased.' }] },
    ],
    { tools: [gated] },
  );
  const session = await visitor.start('go');
  const { requestId } = onlyRequest(await session.log(1));
  await session.send({ message: 'How is the weather?', clientContext: 'canary' });
  expect(since(await session.log(2), 1)).toEqual([
    'turn.started',
    'message.received',
    'turn.completed',
    'session.waiting',
  ]);
  await session.send({ inputResponses: [{ requestId, optionId: 'approve' }] });
  const events = await session.log(3);
  expect(comparable(events)).toEqual(golden('held-text'));
  expect(said(events)).toEqual(['May I?', 'Erased.', 'Sunny.']);
  expect(dataOf(events, 'message.received').map(({ message, turnId }) => [message, turnId])).toEqual([
    ['go', 'turn_0'],
    ['How is the weather?', 'turn_1'],
    ['How is the weather?', 'turn_2'],
  ]);
  expect(dataOf(events, 'step.started').map(({ turnId, stepIndex }) => [turnId, stepIndex])).toEqual([
    ['turn_0', 0],
    ['turn_2', 0],
    ['turn_2', 1],
  ]);
});

test('an answer and a message in one request: the message gets a step of its own', async () => {
  const { visitor } = await service.agent(
    [{ when: 'weather', steps: [{ say: 'Sunny.' }] }, { steps: [erase('both'), { say: 'Erased.' }] }],
    { tools: [gated] },
  );
  const session = await visitor.start('go');
  const { requestId } = onlyRequest(await session.log(1));
  await session.send({ inputResponses: [{ requestId, optionId: 'approve' }], message: 'The weather?' });
  const events = await session.log(2);
  expect(since(events, 1)).toEqual([
    'turn.started',
    'message.received',
    'input.answered',
    'step.started',
    'action.result',
    ...spoken,
    'step.completed',
    'step.started',
    ...answer,
  ]);
  expect(said(events)).toEqual(['Erased.', 'Sunny.']);
});

test('a stale answer becomes a message with the label found in history', async () => {
  const { visitor } = await service.agent(
    [
      { when: '^Yes', steps: [{ say: 'It is done already.' }] },
      { steps: [{ say: 'May I?' }, erase('stale'), { say: 'Done.' }] },
    ],
    { tools: [gated] },
  );
  const session = await visitor.start('go');
  const { requestId } = onlyRequest(await session.log(1));
  const body = { inputResponses: [{ requestId, optionId: 'approve' }] };
  await session.send(body);
  await session.log(2);
  expect((await session.send(body)).status).toBe(200);
  const events = await session.log(3);
  expect(comparable(events)).toEqual(golden('stale-answer'));
  expect(dataOf(events, 'message.received').map(({ message }) => message)).toEqual(['go', 'Yes']);
  expect(said(events).at(-1)).toBe('It is done already.');
  expect(service.endpoint.calls.filter(({ path }) => path === '/erase/stale')).toHaveLength(1);
});

test('an answer to what was never asked becomes its text, or else its option', async () => {
  const { visitor } = await service.agent([{ steps: [{ say: 'ok' }] }]);
  const session = await visitor.start('go');
  await session.send({ inputResponses: [{ requestId: 'none', optionId: 'y' }] });
  await session.send({ inputResponses: [{ requestId: 'none', optionId: 'y', text: 'Well' }] });
  const events = await session.log(3);
  expect(dataOf(events, 'message.received').map(({ message }) => message)).toEqual(['go', 'y', 'Well']);
});

test('a question, answered by an option and in own words', async () => {
  const { visitor } = await service.agent([
    { steps: [{ say: 'Hm.' }, colour({ allowFreeform: true }), { say: 'You chose {{result}}.' }] },
  ]);
  const session = await visitor.start('go');
  const request = onlyRequest(await session.log(1));
  expect(request).toEqual({
    requestId: request.action.callId,
    kind: 'question',
    prompt: 'Which colour?',
    display: 'select',
    allowFreeform: true,
    options: colours,
    action: {
      kind: 'tool-call',
      callId: expect.any(String),
      toolName: 'ask_question',
      input: { prompt: 'Which colour?', options: colours, allowFreeform: true },
    },
  });
  await session.send({ inputResponses: [{ requestId: request.requestId, optionId: 'red' }] });
  const events = await session.log(2);
  expect(comparable(events)).toEqual([
    ...opening,
    ...spoken,
    ...parked,
    'turn.started',
    'input.answered',
    'step.started',
    ...answer,
  ]);
  expect(golden('ask-question').slice(0, comparable(events).length)).toEqual(comparable(events));
  expect(said(events)).toEqual(['Hm.', 'You chose red.']);
});

test('a question without options is open', async () => {
  const { visitor } = await service.agent([
    { steps: [{ ask: { prompt: 'Your name?' } }, { say: 'Hi {{result}}.' }] },
  ]);
  const session = await visitor.start('go');
  const request = onlyRequest(await session.log(1));
  expect(Object.keys(request).toSorted()).toEqual(['action', 'display', 'kind', 'prompt', 'requestId']);
  expect(request.display).toBe('text');
  await session.send({ message: 'Ida' });
  const events = await session.log(2);
  expect(since(events, 1)).toEqual([
    'turn.started',
    'message.received',
    'input.answered',
    'step.started',
    ...answer,
  ]);
  expect(said(events)).toEqual(['Hi Ida.']);
});

test.each([
  ['blue', { optionId: 'blue' }, 'You chose blue.'],
  [' NAVY ', { optionId: 'blue' }, 'You chose blue.'],
  ['2', { optionId: 'blue' }, 'You chose blue.'],
  ['teal', { text: 'teal' }, 'You chose teal.'],
])('the text %j answers a question with options', async (text, expected, reply) => {
  const { visitor } = await service.agent([
    { steps: [colour({ allowFreeform: true }), { say: 'You chose {{result}}.' }] },
  ]);
  const session = await visitor.start('go');
  await session.log(1);
  await session.send({ message: text });
  const events = await session.log(2);
  expect(dataOf(events, 'input.answered')).toEqual([
    expect.objectContaining({ sequence: 1, by: 'visitor', ...expected }),
  ]);
  expect(said(events)).toEqual([reply]);
});

test('text that is none of the options drops the question and is a message', async () => {
  const { visitor } = await service.agent([
    { when: 'weather', steps: [{ say: 'Sunny.' }] },
    { steps: [colour({}), { say: 'You chose {{result}}.' }] },
  ]);
  const session = await visitor.start('go');
  await session.log(1);
  await session.send({ message: 'The weather?' });
  const events = await session.log(2);
  expect(since(events, 1)).toEqual(['turn.started', 'message.received', 'step.started', ...answer]);
  expect(said(events)).toEqual(['Sunny.']);
});

test('a stale answer drops a question, too, and is a message', async () => {
  const { visitor } = await service.agent([
    { when: '^later', steps: [{ say: 'Fine.' }] },
    { steps: [colour({}), { say: 'You chose {{result}}.' }] },
  ]);
  const session = await visitor.start('go');
  await session.log(1);
  await session.send({ inputResponses: [{ requestId: 'other', text: 'later' }] });
  const events = await session.log(2);
  expect(since(events, 1)).toEqual(['turn.started', 'message.received', 'step.started', ...answer]);
});

test('an answer that was not offered reaches the model as it is', async () => {
  const { visitor } = await service.agent([{ steps: [colour({}), { say: 'You chose {{result}}.' }] }]);
  const session = await visitor.start('go');
  const { requestId } = onlyRequest(await session.log(1));
  await session.send({ inputResponses: [{ requestId, optionId: 'teal' }] });
  expect(said(await session.log(2))).toEqual(['You chose teal.']);
});

test('of several questions those without an answer are ignored', async () => {
  const { visitor } = await service.agent([
    { steps: [{ ask: { prompt: 'A?' } }, { ask: { prompt: 'B?' } }, { say: 'B was {{result}}' }] },
  ]);
  const session = await visitor.start('go');
  const [first, second] = asked(await session.log(1));
  expect([first!.prompt, second!.prompt]).toEqual(['A?', 'B?']);
  await session.send({ inputResponses: [{ requestId: first!.requestId, text: 'x' }] });
  const events = await session.log(2);
  expect(said(events)).toEqual(['B was ignored']);
  expect(dataOf(events, 'input.answered')).toHaveLength(1);
});

test('an approval and a question together: approvals first, answering it ignores the question', async () => {
  const { visitor } = await service.agent(
    [{ steps: [colour({}), erase('mixed'), { say: 'It says {{result}}' }] }],
    { tools: [gated] },
  );
  const session = await visitor.start('go');
  const requests = asked(await session.log(1));
  expect(requests.map(({ kind }) => kind)).toEqual(['tool-approval', 'question']);
  await session.send({ inputResponses: [{ requestId: requests[0]!.requestId, optionId: 'approve' }] });
  const events = await session.log(2);
  expect(since(events, 1)).toEqual([
    'turn.started',
    'input.answered',
    'step.started',
    'action.result',
    ...answer,
  ]);
  expect(said(events)).toEqual([expect.stringContaining('/erase/mixed')]);
});

test('an answered question waits for the approval beside it', async () => {
  const { visitor } = await service.agent([{ steps: [erase('x'), colour({}), { say: '{{result}}' }] }], {
    tools: [gated],
  });
  const session = await visitor.start('go');
  const [approval, question] = asked(await session.log(1));
  await session.send({ inputResponses: [{ requestId: question!.requestId, optionId: 'red' }] });
  expect(since(await session.log(2), 1)).not.toContain('step.started');
  await session.send({ inputResponses: [{ requestId: approval!.requestId, optionId: 'approve' }] });
  expect(said(await session.log(3))).toEqual(['red']);
});

test('`once` asks once in a session, and again after a denial', async () => {
  const { visitor } = await service.agent([{ steps: [erase('o'), { say: '{{result}}' }] }], {
    tools: [{ ...gated, approval: 'once' }],
  });
  const session = await visitor.start('go');
  const [first] = asked(await session.log(1));
  await session.send({ inputResponses: [{ requestId: first!.requestId, optionId: 'deny' }] });
  await session.log(2);
  await session.send({ message: 'go' });
  const second = asked(await session.log(3))[1];
  await session.send({ inputResponses: [{ requestId: second!.requestId, optionId: 'approve' }] });
  await session.log(4);
  await session.send({ message: 'go' });
  const events = await session.log(5);
  expect(asked(events)).toHaveLength(2);
  expect(since(events, 4)).toEqual([
    'turn.started',
    'message.received',
    'step.started',
    'actions.requested',
    'action.result',
    'step.completed',
    'step.started',
    ...answer,
  ]);
});

test('cancelled while it speaks: the turn leaves the prompt, its text stays in the log', async () => {
  const { visitor } = await service.agent([
    { when: 'recall', steps: [{ say: '{{recall:(.+)}}' }] },
    { steps: [{ say: 'word ', repeat: 3_000, delayMs: 20 }] },
  ]);
  const session = await visitor.start('long');
  const reader = await session.follow();
  await reader.until(({ events }) => events.some(({ type }) => type === 'message.appended'));
  expect((await session.cancel()).body).toEqual({ ok: true, sessionId: session.id, status: 'accepted' });
  await session.send({ message: 'recall' });
  const events = await reader.boundaries(2);
  reader.close();
  expect(comparable(events)).toEqual(golden('cancelled'));
  expect(said(events)).toEqual(['nothing']);
});

test('cancelled while a tool runs', async () => {
  const { visitor } = await service.agent([{ steps: [{ call: 'stuck', input: { name: 'tool' } }] }], {
    tools: [{ name: 'stuck' }],
  });
  const session = await visitor.start('go');
  await service.endpoint.called('/stuck/tool');
  await session.cancel({ turnId: 'turn_0' });
  expect(comparable(await session.log(1))).toEqual([
    ...opening,
    'actions.requested',
    'turn.cancelled',
    'session.waiting',
  ]);
});

test('a model that fails midway, and at once: the turn leaves the prompt, the session goes on', async () => {
  const { visitor } = await service.agent([
    { when: 'midway', steps: [{ say: 'Half an ans' }, { fail: 'canary' }] },
    { when: 'first', steps: [{ fail: 'canary' }] },
    { steps: [{ say: '{{recall:(.+)}}' }] },
  ]);
  const session = await visitor.start('fail midway');
  await session.send({ message: 'recall' });
  await session.send({ message: 'fail first' });
  const events = await session.log(3);
  const failure = ['step.failed', 'turn.failed', 'session.waiting'];
  const turn = ['turn.started', 'message.received', 'step.started'];
  expect(comparable(events)).toEqual([...golden('model-failure'), ...turn, ...failure]);
  expect(said(events)).toEqual(['nothing']);
  const [step] = dataOf(events, 'step.failed');
  const { stepIndex, ...shared } = step!;
  expect(stepIndex).toBe(0);
  expect(dataOf(events, 'turn.failed')[0]).toEqual(shared);
  expect(shared).toMatchObject({ code: 'MODEL_CALL_FAILED', details: { errorId: expect.any(String) } });
  expect(JSON.stringify(events)).not.toContain('canary');
});

test.each(['length', 'content-filter'])('a reply that finishes with %s is no failure', async (finish) => {
  const { visitor } = await service.agent([{ steps: [{ say: 'This is too lo' }, { finish }] }]);
  const events = await (await visitor.start('go')).log(1);
  expect(comparable(events)).toEqual(golden('cut-at-length'));
  expect(dataOf(events, 'message.completed')).toMatchObject([{ finishReason: finish }]);
  expect(dataOf(events, 'step.completed')).toMatchObject([{ finishReason: finish }]);
});

const schemasTaken = { agent: { outputSchemaForVisitors: true } };

test('structured output, for the turn that asks for it', async () => {
  const { visitor } = await service.agent([{ steps: [{ say: '{"city": "Oslo"}' }] }], schemasTaken);
  const outputSchema = { type: 'object', properties: { city: { type: 'string' } } };
  const session = await visitor.start('go', { outputSchema });
  await session.send({ message: 'again' });
  const events = await session.log(2);
  expect(comparable(events.slice(0, 8))).toEqual(golden('structured-output'));
  expect(dataOf(events, 'result.completed')).toMatchObject([{ stepIndex: 0, result: { city: 'Oslo' } }]);
  expect(dataOf(events, 'step.completed')[0]?.finishReason).toBe('tool-calls');
  expect(said(events)).toEqual(['{"city": "Oslo"}']);
});

test('reasoning is shown where the agent shows it', async () => {
  const script = [{ steps: [{ reason: 'Considering it.' }, { say: 'Done now.' }] }];
  const shown = await service.agent(script, { agent: { reasoning: { show: true } } });
  const events = await (await shown.visitor.start('go')).log(1);
  expect(comparable(events)).toEqual(golden('reasoning-without-so-far'));
  expect(dataOf(events, 'reasoning.completed')).toMatchObject([{ reasoning: 'Considering it.' }]);

  const hidden = await service.agent(script);
  const others = await (await hidden.visitor.start('go')).log(1);
  expect(comparable(others)).toEqual([...opening, ...answer]);
});

test('clear: the prompt starts afresh, the log stays', async () => {
  const { visitor } = await service.agent([
    { when: 'recall', steps: [{ say: '{{recall:(.+)}}' }] },
    { steps: [{ say: 'ok' }] },
  ]);
  const session = await visitor.start('Ida');
  expect((await session.control('clear')).status).toBe(202);
  await session.send({ message: 'recall' });
  const events = await session.log(3);
  expect(comparable(events)).toEqual(golden('cleared'));
  expect(said(events)).toEqual(['ok', 'nothing']);
  expect(dataOf(events, 'context.cleared')).toEqual([
    { sequence: 0, turnId: 'turn_0', sessionId: session.id },
  ]);
});

test('end: session.completed without data, and nothing after it', async () => {
  const { visitor } = await service.agent([{ steps: [{ say: 'ok' }] }]);
  const session = await visitor.start('Ida');
  const reader = await session.follow();
  await reader.boundaries(1);
  const answer = await session.control(`${session.id}/end`);
  expect(answer.body).toEqual({ ok: true, sessionId: session.id, status: 'completed' });
  const events = await reader.rest();
  expect(comparable(events)).toEqual(golden('ended'));
  expect(events.at(-1)).toEqual({
    type: 'session.completed',
    meta: { at: expect.any(String), id: expect.any(String) },
  });
});

test('compact: a boundary of its own, without a turn', async () => {
  const { visitor } = await service.agent([{ steps: [{ say: '{{input}}' }] }]);
  const session = await visitor.start('A first message of some length');
  await session.control('compact');
  await session.send({ message: 'A second message' });
  const events = await session.log(3);
  expect(comparable(events)).toEqual([
    ...opening,
    ...answer,
    'compaction.requested',
    'compaction.completed',
    'session.waiting',
    ...opening.slice(1),
    ...answer,
  ]);
  expect(golden('compaction').slice(0, 12)).toEqual(comparable(events).slice(0, 12));
});

test('a file', async () => {
  const { visitor } = await service.agent([{ steps: [{ say: 'Nice.' }] }]);
  const file = { type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo=' };
  const events = await (await visitor.start([file])).log(1);
  expect(comparable(events)).toEqual(golden('file'));
});

test('a tool of which a publishable key sees name and state', async () => {
  const { visitor } = await service.agent(
    [{ steps: [{ call: 'look', input: { name: 'x' } }, { say: 'Done.' }] }],
    { tools: [{ name: 'look', visibility: 'status' }] },
  );
  const events = await (await visitor.start('go')).log(1);
  expect(comparable(events)).toEqual(golden('tool-concealed'));
});

test('structured output that is no JSON is a failure of the model', async () => {
  const { visitor } = await service.agent([{ steps: [{ say: 'Oslo' }] }], schemasTaken);
  const events = await (await visitor.start('go', { outputSchema: { type: 'object' } })).log(1);
  expect(comparable(events)).toEqual([...opening, 'step.failed', 'turn.failed', 'session.waiting']);
  expect(dataOf(events, 'turn.failed')).toMatchObject([{ code: 'MODEL_CALL_FAILED' }]);
});

test('structured output that does not fit its schema is a failure of the model', async () => {
  const { visitor } = await service.agent([{ steps: [{ say: '{"city": 7}' }] }], schemasTaken);
  const outputSchema = { type: 'object', properties: { city: { type: 'string' } } };
  const events = await (await visitor.start('go', { outputSchema })).log(1);
  expect(dataOf(events, 'result.completed')).toEqual([]);
  expect(dataOf(events, 'turn.failed')).toMatchObject([{ code: 'MODEL_CALL_FAILED' }]);
});

test('structured output after a tool call', async () => {
  const { visitor } = await service.agent(
    [{ steps: [{ call: 'look', input: { name: 'x' } }, { say: '{"found": {{result}} }' }] }],
    { ...schemasTaken, tools: [{ name: 'look' }] },
  );
  const events = await (await visitor.start('go', { outputSchema: { type: 'object' } })).log(1);
  expect(comparable(events)).toEqual([
    ...opening,
    'actions.requested',
    'action.result',
    'step.completed',
    'step.started',
    'step.completed',
    'result.completed',
    'turn.completed',
    'session.waiting',
  ]);
  expect(dataOf(events, 'result.completed')).toMatchObject([{ result: { found: { done: '/look/x' } } }]);
});

test('a tool that was deleted while its approval waited: the model is told', async () => {
  const { visitor, agentId } = await service.agent(
    [{ steps: [erase('late'), { say: 'It says {{result}}' }] }],
    {
      tools: [gated],
    },
  );
  const session = await visitor.start('go');
  const { requestId } = onlyRequest(await session.log(1));
  const tools = (await service.settings('GET', `/tools?agentId=${agentId}`)).body.items;
  await service.settings('DELETE', `/tools/${tools[0].id}`);
  await session.send({ inputResponses: [{ requestId, optionId: 'approve' }] });
  const events = await session.log(2);
  expect(dataOf(events, 'action.result')).toMatchObject([{ status: 'failed' }]);
  expect(said(events)).toEqual(['It says The tool erase does not exist any more.']);
});
