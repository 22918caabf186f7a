import type { InputRequest } from '@parley/protocol/ask';
import type { SessionEvent } from '@parley/protocol/event';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  begin,
  completed,
  event,
  finish,
  meta,
  say,
  step,
  turn,
  waiting,
} from '../../../client/testing/events.ts';
import { reduce } from '../../testing/reduce.ts';
import { isForTeam } from './is-for-team.ts';
import { reduceTranscript } from './reduce-transcript.ts';
import { emptyTranscript } from './transcript.ts';

const call = (
  callId: string,
  toolName = 'get_weather',
  input: Record<string, unknown> = { city: 'Bern' },
) => ({
  kind: 'tool-call' as const,
  callId,
  toolName,
  input,
});
const requested = (sequence: number, ...callIds: string[]) =>
  event('actions.requested', { ...step(sequence), actions: callIds.map((callId) => call(callId)) });
const result = (
  sequence: number,
  callId: string,
  status: 'completed' | 'failed' | 'rejected' = 'completed',
  error?: { code: string; message: string },
) =>
  event('action.result', {
    ...step(sequence),
    result: { kind: 'tool-result', callId, toolName: 'get_weather', output: 'sunny' },
    status,
    ...(error && { error }),
  });
const approval = (callId: string): InputRequest => ({
  requestId: `ask_${callId}`,
  kind: 'tool-approval',
  prompt: 'Approve tool call: get_weather',
  action: call(callId),
  display: 'confirmation',
  allowFreeform: false,
  options: [
    { id: 'approve', label: 'Yes' },
    { id: 'deny', label: 'No' },
  ],
});
const question = (requestId: string): InputRequest => ({
  requestId,
  kind: 'question',
  prompt: 'Which colour?',
  action: call(requestId, 'ask_question', { prompt: 'Which colour?' }),
  display: 'select',
  options: [{ id: 'red', label: 'Red' }],
});
const asked = (sequence: number, ...requests: InputRequest[]) =>
  event('input.requested', { ...step(sequence), requests });
const stepDone = (sequence: number) =>
  event('step.completed', { ...step(sequence), finishReason: 'tool-calls' });
const denied = { code: 'TOOL_EXECUTION_DENIED', message: 'Tool execution was denied.' };

const parked = [
  ...begin(0, 'Weather?'),
  event('step.started', step(0)),
  requested(0, 'call_1'),
  stepDone(0),
  asked(0, approval('call_1')),
  ...finish(0),
];

test('a plain turn', () => {
  const transcript = reduce([
    event('session.started', { runtime: { agentId: 'a1', agentName: 'Ada', modelId: 'm1' } }),
    ...begin(0, 'Hello'),
    ...say(0, 0, 'Good ', 'day'),
    ...finish(0),
  ]);
  expect(transcript).toEqual({
    status: 'idle',
    nextIndex: 10,
    agentName: 'Ada',
    continuationToken: 'parley:1',
    turns: [
      {
        id: 'turn_0',
        sequence: 0,
        status: 'completed',
        startedAt: meta.at,
        user: { text: 'Hello', parts: [{ type: 'text', text: 'Hello' }] },
        parts: [{ kind: 'text', stepIndex: 0, text: 'Good day', done: true, finishReason: 'stop' }],
      },
    ],
    requests: [],
    marks: [],
  });
});

test('text shows while it is written', () => {
  const transcript = reduce([...begin(0, 'Hello'), ...say(0, 0, 'Good ', 'day').slice(0, 2)]);
  expect(transcript.status).toBe('working');
  expect(transcript.turns[0]).toMatchObject({
    status: 'running',
    parts: [{ kind: 'text', text: 'Good ', done: false }],
  });
});

test('cumulative texts and deltas alone give the same', () => {
  const [started, first, second, ...rest] = say(0, 0, 'Good ', 'day');
  const cumulative = [
    event('message.appended', { ...step(0), messageDelta: 'Good ', messageSoFar: 'Good ' }),
    event('message.appended', { ...step(0), messageDelta: 'day', messageSoFar: 'Good day' }),
  ];
  const around = (deltas: SessionEvent[]) => reduce([started!, ...deltas, ...rest]);
  expect(around(cumulative)).toEqual(around([first!, second!]));
});

test('reasoning, text before a call, the call and the text after it stand in their order', () => {
  const transcript = reduce([
    ...begin(0, 'Weather?'),
    event('step.started', step(0)),
    event('reasoning.appended', { ...step(0), reasoningDelta: 'Hm' }),
    event('reasoning.completed', { ...step(0), reasoning: 'Hmm.' }),
    event('message.appended', { ...step(0), messageDelta: 'Looking.' }),
    event('message.completed', { ...step(0), message: 'Looking.', finishReason: 'tool-calls' }),
    event('action.appended', { ...step(0), callId: 'c', toolName: 'get_weather', inputDelta: '{"city":' }),
    event('action.appended', { ...step(0), callId: 'c', toolName: 'get_weather', inputDelta: '"Bern"}' }),
    requested(0, 'c'),
    result(0, 'c'),
    stepDone(0),
    ...say(0, 1, 'Sunny.'),
    ...finish(0),
  ]);
  expect(transcript.turns[0]?.parts).toEqual([
    { kind: 'reasoning', stepIndex: 0, text: 'Hmm.', done: true },
    { kind: 'text', stepIndex: 0, text: 'Looking.', done: true, finishReason: 'tool-calls' },
    {
      kind: 'tool',
      stepIndex: 0,
      callId: 'c',
      toolName: 'get_weather',
      state: 'completed',
      inputText: '',
      input: { city: 'Bern' },
      output: 'sunny',
      retries: 0,
    },
    { kind: 'text', stepIndex: 1, text: 'Sunny.', done: true, finishReason: 'stop' },
  ]);
});

test('the input of a call shows while it streams, its preliminary output while it runs', () => {
  const streaming = reduce([
    ...begin(0),
    event('action.appended', { ...step(0), callId: 'c', toolName: 'get_weather', inputDelta: '{"ci' }),
  ]);
  expect(streaming.turns[0]?.parts).toMatchObject([{ state: 'streaming-input', inputText: '{"ci' }]);
  const running = reduce(
    [
      requested(0, 'c'),
      event('action.partial', {
        ...step(0),
        result: { kind: 'tool-result', callId: 'c', toolName: 'get_weather', output: 'half' },
      }),
    ],
    streaming,
  );
  expect(running.turns[0]?.parts).toMatchObject([
    { state: 'running', output: 'half', input: { city: 'Bern' } },
  ]);
});

test('a call whose arguments were unusable is failed when its step ends', () => {
  const appended = { ...step(0), callId: 'c', toolName: 'get_weather', inputDelta: '{' };
  const transcript = reduce([...begin(0), event('action.appended', appended), stepDone(0)]);
  expect(transcript.turns[0]?.parts).toMatchObject([{ state: 'failed' }]);
});

test('an approval waits at its call and in the list of requests', () => {
  const transcript = reduce(parked);
  expect(transcript.status).toBe('idle');
  expect(transcript.requests).toEqual([{ ...approval('call_1'), turnId: 'turn_0' }]);
  expect(transcript.turns[0]).toMatchObject({
    status: 'completed',
    parts: [{ kind: 'tool', state: 'awaiting-approval', approval: { requestId: 'ask_call_1' } }],
  });
});

test('an approved call ends in the turn that made it; the resumed turn has no user', () => {
  const transcript = reduce(
    [
      ...begin(1),
      event('input.answered', { ...turn(1), requestId: 'ask_call_1', optionId: 'approve', by: 'visitor' }),
      event('step.started', step(1)),
      result(0, 'call_1'),
      ...say(1, 0, 'Sunny.').slice(1),
      ...finish(1),
    ],
    reduce(parked),
  );
  expect(transcript.requests).toEqual([]);
  expect(transcript.turns).toHaveLength(2);
  expect(transcript.turns[0]?.parts).toMatchObject([
    { state: 'completed', output: 'sunny', approval: { answer: { optionId: 'approve', by: 'visitor' } } },
  ]);
  expect(transcript.turns[1]).not.toHaveProperty('user');
  expect(transcript.turns[1]?.parts).toMatchObject([{ kind: 'text', text: 'Sunny.' }]);
});

test('what the team alone approves waits at its call, and asks nothing of the reader', () => {
  const request = { ...approval('call_1'), options: [] };
  const before = parked.slice(0, 4);
  const transcript = reduce([...before, asked(0, request), ...finish(0)]);
  expect(transcript.requests.map(isForTeam)).toEqual([true]);
  expect(reduce(parked).requests.map(isForTeam)).toEqual([false]);
  expect(transcript.turns[0]?.parts).toMatchObject([
    { state: 'awaiting-approval', approval: { options: [] } },
  ]);
  const { requestId } = request;
  const answered = event('input.answered', { ...turn(1), requestId, optionId: 'approve', by: 'team' });
  const after = reduce([
    ...before,
    asked(0, request),
    ...finish(0),
    event('turn.started', turn(1)),
    answered,
  ]);
  expect(after.turns[0]?.parts).toMatchObject([{ state: 'running', approval: { answer: { by: 'team' } } }]);
});

test('an approval without a word about who gave it is closed by the result', () => {
  const transcript = reduce(
    [...begin(1), event('step.started', step(1)), result(1, 'call_1')],
    reduce(parked),
  );
  expect(transcript.requests).toEqual([]);
  expect(transcript.turns[0]?.parts).toMatchObject([{ state: 'completed' }]);
  expect(transcript.turns[1]?.parts).toEqual([]);
});

test('a denial precedes the turn it begins', () => {
  const transcript = reduce(
    [
      event('input.answered', { ...turn(0), requestId: 'ask_call_1', optionId: 'deny', by: 'team' }),
      result(0, 'call_1', 'rejected', denied),
      ...begin(1),
      ...say(1, 0, 'Very well.'),
      ...finish(1),
    ],
    reduce(parked),
  );
  expect(transcript.requests).toEqual([]);
  expect(transcript.turns[0]).toMatchObject({
    status: 'completed',
    parts: [{ state: 'rejected', error: denied, approval: { answer: { optionId: 'deny', by: 'team' } } }],
  });
});

test('a refusal by policy is a rejection, whatever the status says', () => {
  const events = [...begin(0), requested(0, 'c', 'd'), result(0, 'c', 'failed', denied)];
  const failure = { code: 'ACTION_RESULT_FAILED', message: 'Down.' };
  const transcript = reduce([...events, result(0, 'd', 'failed', failure)]);
  expect(transcript.turns[0]?.parts).toMatchObject([
    { callId: 'c', state: 'rejected' },
    { callId: 'd', state: 'failed', error: failure },
  ]);
});

test('an expired approval cannot be answered any more', () => {
  const transcript = reduce(
    [
      event('input.expired', { ...turn(0), requestId: 'ask_call_1' }),
      result(0, 'call_1', 'rejected', denied),
    ],
    reduce(parked),
  );
  expect(transcript.requests).toEqual([]);
  expect(transcript.turns[0]?.parts).toMatchObject([{ state: 'expired' }]);
});

test('of several questions the answered one keeps its answer, the others are dismissed', () => {
  const open = reduce([...begin(0, 'Hi'), asked(0, question('q1'), question('q2')), ...finish(0)]);
  expect(open.turns[0]?.parts).toMatchObject([
    { kind: 'question', requestId: 'q1', state: 'open', allowFreeform: false, display: 'select' },
    { kind: 'question', requestId: 'q2', state: 'open' },
  ]);
  const answered = reduce(
    [
      ...begin(1),
      event('input.answered', { ...turn(1), requestId: 'q1', text: 'green', by: 'visitor' }),
      ...say(1, 0, 'Green.'),
      ...finish(1),
    ],
    open,
  );
  expect(answered.requests).toEqual([]);
  expect(answered.turns[0]?.parts).toMatchObject([
    { requestId: 'q1', state: 'answered', answer: { text: 'green', by: 'visitor' } },
    { requestId: 'q2', state: 'dismissed' },
  ]);
});

test('a question takes the place of the call whose input streamed', () => {
  const appended = { ...step(0), callId: 'q1', toolName: 'ask_question', inputDelta: '{}' };
  const transcript = reduce([...begin(0), event('action.appended', appended), asked(0, question('q1'))]);
  expect(transcript.turns[0]?.parts).toMatchObject([{ kind: 'question' }]);
});

test('an approval survives unrelated text, which no model step answers', () => {
  const transcript = reduce([...begin(1, 'By the way'), ...finish(1)], reduce(parked));
  expect(transcript.requests).toHaveLength(1);
});

test('cancelling closes what was open and keeps what was said', () => {
  const transcript = reduce([
    ...begin(0, 'Long'),
    event('step.started', step(0)),
    event('message.appended', { ...step(0), messageDelta: 'word ' }),
    requested(0, 'c'),
    event('turn.cancelled', turn(0)),
    waiting,
  ]);
  expect(transcript.turns[0]).toMatchObject({
    status: 'cancelled',
    parts: [
      { kind: 'text', text: 'word ', done: true },
      { kind: 'tool', state: 'cancelled' },
    ],
  });
});

test('a failed turn says why', () => {
  const failure = { code: 'MODEL_CALL_FAILED', message: 'The model failed.' };
  const transcript = reduce([
    ...begin(0, 'Fail'),
    event('step.failed', { ...step(0), ...failure }),
    event('turn.failed', { ...turn(0), ...failure }),
    waiting,
  ]);
  expect(transcript.turns[0]).toMatchObject({ status: 'failed', error: failure });
  expect(transcript.status).toBe('idle');
});

test('after a crash the text goes on in a new part, and a repeated call is one part', () => {
  const transcript = reduce([
    ...begin(0, 'Hi'),
    event('step.started', step(0)),
    event('message.appended', { ...step(0), messageDelta: 'Half an ans' }),
    ...say(0, 0, 'Whole.').slice(0, 2),
    requested(0, 'c'),
    event('action.retried', { ...step(0), callId: 'c' }),
  ]);
  expect(transcript.turns[0]?.parts).toMatchObject([
    { kind: 'text', text: 'Half an ans', done: true },
    { kind: 'text', text: 'Whole.', done: false },
    { kind: 'tool', state: 'running', retries: 1 },
  ]);
});

test('a turn has the author that its events name, a message the id that its sender gave it', () => {
  const [agents, teams] = reduce([
    ...begin(0, 'Hi'),
    ...say(0, 0, 'Hello'),
    event('turn.started', turn(1)),
    event('message.received', {
      ...turn(1),
      clientMessageId: 'message-0000000001',
      author: { kind: 'visitor', name: 'Ada' },
      message: 'Is anybody there?',
      parts: [],
    }),
    event('message.completed', {
      ...step(1),
      author: { kind: 'team', name: 'Grace', avatarUrl: 'https://fernhill.example/grace.png' },
      message: 'I am.',
      finishReason: 'stop',
    }),
  ]).turns;
  expect(agents).not.toHaveProperty('author');
  expect(teams).toMatchObject({
    author: { kind: 'team', name: 'Grace', avatarUrl: 'https://fernhill.example/grace.png' },
    user: { id: 'message-0000000001', author: { kind: 'visitor', name: 'Ada' } },
  });
});

test('a message that waited for an approval is shown once, another in the same words by itself', () => {
  const sent = (sequence: number, clientMessageId: string) =>
    event('message.received', { ...turn(sequence), clientMessageId, message: 'Yes', parts: [] });
  const { turns } = reduce([
    ...begin(0),
    sent(0, 'message-0000000001'),
    ...say(0, 0, 'One.'),
    ...begin(1),
    ...say(1, 0, 'Two.'),
    sent(1, 'message-0000000001'),
    ...begin(2),
    ...say(2, 0, 'Three.'),
    sent(2, 'message-0000000002'),
  ]);
  expect(turns.map(({ user }) => user?.id)).toEqual(['message-0000000001', undefined, 'message-0000000002']);
});

test('a step without text leaves no empty part; a structured result is a part', () => {
  const transcript = reduce([
    ...begin(0),
    event('message.completed', { ...step(0), message: null, finishReason: 'tool-calls' }),
    event('result.completed', { ...step(0), result: { total: 3 } }),
  ]);
  expect(transcript.turns[0]?.parts).toEqual([{ kind: 'result', stepIndex: 0, result: { total: 3 } }]);
});

test('dividers stand where the context was cleared or compacted', () => {
  const compaction = { ...turn(0), modelId: 'm1', sessionId: 's1' };
  const before = reduce([...begin(0, 'Hi'), ...say(0, 0, 'Hello'), ...finish(0)]);
  const compacting = reduce(
    [event('compaction.requested', { ...compaction, usageInputTokens: null })],
    before,
  );
  expect(compacting.marks).toMatchObject([{ kind: 'compacting', turnsBefore: 1 }]);
  const compacted = reduce([event('compaction.completed', compaction), waiting], compacting);
  expect(compacted.marks).toMatchObject([{ kind: 'compacted', turnsBefore: 1 }]);
  const abandoned = reduce([waiting], compacting);
  expect(abandoned.marks).toEqual([]);
});

test('clearing the context withdraws what was asked in it', () => {
  const transcript = reduce(
    [event('context.cleared', { ...turn(0), sessionId: 's1' }), waiting],
    reduce(parked),
  );
  expect(transcript.marks).toMatchObject([{ kind: 'cleared', turnsBefore: 1 }]);
  expect(transcript.requests).toEqual([]);
  expect(transcript.turns[0]?.parts).toMatchObject([{ state: 'expired' }]);
});

test('an ended session asks nothing, the team neither', () => {
  expect(reduce([completed], reduce(parked))).toMatchObject({ status: 'ended', requests: [] });
  const failure = { code: 'INTERNAL', message: 'Broken.' };
  const failed = reduce([event('session.failed', { ...failure, sessionId: 's1' })], reduce(begin(0, 'Hi')));
  expect(failed).toMatchObject({ status: 'ended', error: failure, turns: [{ status: 'failed' }] });
  const asking = { ...step(0), requestId: 'ask_1', question: null, expiresAt: '2026-11-23T16:30:00Z' };
  const checking = reduce([...begin(0, 'Hi'), event('team.asked', asking), ...finish(0)]);
  for (const end of [completed, event('session.failed', { ...failure, sessionId: 's1' })])
    expect(reduce([end], checking).turns[0]?.parts).toMatchObject([{ state: 'withdrawn' }]);
});

test('in a session that has failed no tool is running any more', () => {
  const running = reduce([...begin(0, 'Hi'), event('step.started', step(0)), requested(0, 'call_1')]);
  expect(running.turns[0]?.parts).toMatchObject([{ state: 'running' }]);
  const failure = { code: 'INTERNAL', message: 'Broken.', sessionId: 's1' };
  const failed = reduce([event('session.failed', failure)], running);
  expect(failed.turns[0]?.parts).toMatchObject([{ state: 'cancelled' }]);
});

test('an unknown event changes nothing but the index', () => {
  const before = reduce(parked);
  const unknown = { type: 'visitor.waved', data: { hand: 'left' }, meta } as unknown as SessionEvent;
  expect(reduce([unknown], before)).toEqual({ ...before, nextIndex: before.nextIndex + 1 });
});

test('what an event does not touch keeps its identity', () => {
  const before = reduce([...parked, ...begin(1, 'Next'), ...say(1, 0, 'One ').slice(0, 2)]);
  const after = reduce([event('message.appended', { ...step(1), messageDelta: 'two' })], before);
  expect(after.turns[0]).toBe(before.turns[0]);
  expect(after.turns[1]).not.toBe(before.turns[1]);
  expect(after.turns[1]?.user).toBe(before.turns[1]?.user);
  expect(after.requests).toBe(before.requests);
  expect(after.marks).toBe(before.marks);
});

const session = [
  event('session.started', {}),
  ...parked,
  event('input.answered', { ...turn(0), requestId: 'ask_call_1', optionId: 'deny', by: 'visitor' }),
  result(0, 'call_1', 'rejected', denied),
  ...begin(1),
  ...say(1, 0, 'Very ', 'well.'),
  ...finish(1),
  ...begin(2, 'Ask me'),
  asked(2, question('q1')),
  ...finish(2),
  ...begin(3, 'No'),
  ...say(3, 0, 'Fine', '.'),
  ...finish(3),
  completed,
];

test('a stored transcript goes on from any index', () => {
  const whole = reduce(session);
  for (let index = 0; index <= session.length; index += 1) {
    const stored = structuredClone(reduce(session.slice(0, index)));
    expect(reduce(session.slice(index), stored)).toEqual(whole);
  }
});

test('events that come again, in whatever pieces, change nothing', () => {
  const whole = reduce(session);
  fc.assert(
    fc.property(fc.array(fc.nat({ max: session.length })), (restarts) => {
      let transcript = emptyTranscript;
      for (const restart of [...restarts, 0]) {
        const from = Math.min(restart, transcript.nextIndex);
        const to = restart === 0 ? session.length : Math.min(session.length, from + 7);
        for (let index = from; index < to; index += 1) {
          transcript = reduceTranscript(transcript, { index, event: session[index]! });
        }
      }
      expect(transcript).toEqual(whole);
    }),
  );
});

test('a reader that comes in late sees what follows', () => {
  for (let from = 1; from < session.length; from += 1) {
    const transcript = reduce(session.slice(from), { ...emptyTranscript, nextIndex: from });
    expect(transcript).toMatchObject({ status: 'ended', requests: [] });
    expect(transcript.turns.map((each) => each.sequence)).toEqual(
      transcript.turns.map((each) => each.sequence).toSorted((a, b) => a - b),
    );
    expect(transcript.turns.every((each) => each.status === 'completed')).toBe(true);
  }
});

test('a person who joins answers until they leave, and dividers say so', () => {
  const grace = { kind: 'team' as const, name: 'Grace' };
  const before = reduce([...begin(0, 'Hi'), ...say(0, 0, 'Hello'), ...finish(0)]);
  const joined = reduce([event('team.joined', { ...turn(0), author: grace }), waiting], before);
  expect(joined.person).toEqual(grace);
  expect(joined.marks).toMatchObject([{ kind: 'person', turnsBefore: 1 }]);
  const left = reduce([event('team.left', { ...turn(1), author: grace, summary: null }), waiting], joined);
  expect(left.person).toBeNull();
  expect(left.marks).toMatchObject([{ kind: 'person' }, { kind: 'assistant', turnsBefore: 1 }]);
});
