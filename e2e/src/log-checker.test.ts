import type { SessionEventType } from '@parley/protocol/event';
import { expect, test } from 'vitest';
import { checkHistory } from './log-checker.ts';
import type { Connection, Delivery, History, Operation, Violation } from './log-checker/history.ts';

let ids = 0;
const event = (type: SessionEventType, data: object): string =>
  JSON.stringify({ type, data, meta: { at: '2026-01-01T00:00:00.000Z', id: `evt_${(ids += 1)}` } });
const turn = (sequence: number) => ({ sequence, turnId: `turn_${sequence}` });
const step = (sequence: number, stepIndex = 0) => ({ ...turn(sequence), stepIndex });
const action = (callId: string, toolName: string, order: string) => ({
  kind: 'tool-call',
  callId,
  toolName,
  input: { order },
});

const started = (sequence: number, message: string) => [
  event('turn.started', turn(sequence)),
  event('message.received', { ...turn(sequence), message, parts: [] }),
];
const ended = (sequence: number, stepIndex = 0) => [
  event('step.completed', { ...step(sequence, stepIndex), finishReason: 'stop' }),
  event('turn.completed', turn(sequence)),
  event('session.waiting', { wait: 'next-user-message', continuationToken: 'parley:1' }),
];
const said = (sequence: number, message: string) => [
  ...started(sequence, message),
  event('step.started', step(sequence)),
  event('message.appended', { ...step(sequence), messageDelta: 'Hello' }),
  ...ended(sequence),
];
const requested = (sequence: number, call: ReturnType<typeof action>) =>
  event('actions.requested', { ...step(sequence), actions: [call] });
const retried = (sequence: number, callId: string) => event('action.retried', { ...step(sequence), callId });
const result = (sequence: number, callId: string, toolName: string) =>
  event('action.result', {
    ...step(sequence),
    status: 'completed',
    result: { kind: 'tool-result', callId, toolName, output: 'done' },
  });
const called = (sequence: number, call: ReturnType<typeof action>, message = call.input.order) => [
  ...started(sequence, message),
  event('step.started', step(sequence)),
  requested(sequence, call),
  result(sequence, call.callId, call.toolName),
  ...ended(sequence),
];
const asked = (sequence: number, call: ReturnType<typeof action>) => [
  ...started(sequence, call.input.order),
  event('step.started', step(sequence)),
  requested(sequence, call),
  event('step.completed', { ...step(sequence), finishReason: 'tool-calls' }),
  event('input.requested', {
    ...step(sequence),
    requests: [{ requestId: 'request', kind: 'tool-approval', prompt: 'Approve?', action: call }],
  }),
  ...ended(sequence).slice(1),
];
const approved = (sequence: number, optionId = 'approve') => [
  event('turn.started', turn(sequence)),
  event('input.answered', { ...turn(sequence), requestId: 'request', optionId, by: 'visitor' }),
  event('step.started', step(sequence)),
  result(sequence, 'call_1', 'wire'),
  ...ended(sequence),
];

const sent = (text: string | null, more: Partial<Operation> = {}): Operation => ({
  interface: 'sessions',
  apiKey: 'sk_1',
  idempotencyKey: text,
  text,
  requestId: null,
  outcome: 'ok',
  started: 0,
  ended: 1,
  ...more,
});
const answer = sent(null, { requestId: 'request', started: 2, ended: 3 });
const delivered = (tool: string, order: string, idempotencyKey: string | null = order): Delivery => ({
  tool,
  order,
  idempotencyKey,
});
const connection = (lines: readonly string[], more: Partial<Connection> = {}): Connection => ({
  tenant: 'tenant_1',
  session: 'session_1',
  reader: 'reader',
  startIndex: 0,
  lines,
  ...more,
});

function history(lines: readonly string[], more: Partial<History> = {}): History {
  return {
    operations: [],
    connections: [],
    logs: new Map([['session_1', lines]]),
    deliveries: [],
    tools: {
      look_up: { idempotent: true, approval: false },
      pay: { idempotent: false, approval: false },
      wire: { idempotent: false, approval: true },
    },
    canaries: { tenant_1: 'heron', tenant_2: 'magpie' },
    ...more,
  };
}

const broken = (checked: History): Violation['invariant'][] => [
  ...new Set(checkHistory(checked).map(({ invariant }) => invariant)),
];

const handedOn = (sequence: number) =>
  event('approval.delegated', { ...turn(sequence), requestId: 'request', from: null, to: null, line: null });

const amended = (sequence: number) => [
  event('turn.started', turn(sequence)),
  event('action.amended', { ...step(sequence), callId: 'call_1', toolName: 'wire', requestId: 'request' }),
  event('input.requested', {
    ...step(sequence),
    requests: [
      {
        requestId: 'request',
        kind: 'tool-approval',
        prompt: 'Approve?',
        action: action('call_1', 'wire', 'c'),
      },
    ],
  }),
  ...ended(sequence).slice(1),
];

test('finds nothing in a sound history', () => {
  const safe = action('call_0', 'look_up', 'b');
  const wire = action('call_1', 'wire', 'c');
  const lines = [
    ...said(0, 'a'),
    ...started(1, 'b'),
    event('step.started', step(1)),
    requested(1, safe),
    retried(1, 'call_0'),
    result(1, 'call_0', 'look_up'),
    ...ended(1),
    ...asked(2, wire),
    handedOn(2),
    ...amended(3),
    ...approved(4),
  ];
  const operations = [
    sent('a', { outcome: 'unknown' }),
    sent('a', { started: 2, ended: 3 }),
    sent('b', { started: 4, ended: 5 }),
    sent('c', { started: 6, ended: 7 }),
    answer,
    sent('never arrived', { outcome: 'unknown' }),
    sent('refused', { outcome: 'refused' }),
  ];
  const connections = [
    connection(lines.slice(0, 5)),
    connection(lines.slice(5), { startIndex: 5 }),
    connection(lines.slice(2, 4), { reader: 'another', startIndex: 2 }),
  ];
  const deliveries = [delivered('look_up', 'b'), delivered('look_up', 'b'), delivered('wire', 'c')];
  expect(checkHistory(history(lines, { operations, connections, deliveries }))).toEqual([]);
});

test.each<[string, Violation['invariant'], History]>([
  ['an acknowledged message is lost', 'durable', history([], { operations: [sent('a')] })],
  [
    'an acknowledged message is doubled',
    'durable',
    history([...said(0, 'a'), ...said(1, 'a')], { operations: [sent('a')] }),
  ],
  [
    'a message is in two sessions',
    'durable',
    history([], {
      logs: new Map([
        ['session_1', said(0, 'a')],
        ['session_2', said(0, 'a')],
      ]),
      operations: [sent('a')],
    }),
  ],
  ['an acknowledged answer is lost', 'durable', history([], { operations: [answer] })],
  ['nobody sent a message', 'no phantom', history(said(0, 'a'))],
  [
    'a refused message is taken',
    'no phantom',
    history(said(0, 'a'), { operations: [sent('a', { outcome: 'refused' })] }),
  ],
  [
    'a message without an answer is taken twice',
    'no phantom',
    history([...said(0, 'a'), ...said(1, 'a')], { operations: [sent('a', { outcome: 'unknown' })] }),
  ],
  ['messages change places', 'follow-ups', swapped()],
  ['a read differs from the log', 'prefix', differing()],
  ['a reader saw what the log lost', 'prefix', truncated()],
  ['an event is in the log twice', 'prefix', twice()],
  ['a reader skips an event', 'monotonic reader', skipping()],
  ['a turn has no end', 'turn shape', turns(said(0, 'a').slice(0, -2))],
  ['a turn begins inside another', 'turn shape', turns([...said(0, 'a').slice(0, -2), ...said(1, 'b')])],
  ['a turn goes on after its end', 'turn shape', turns([...said(0, 'a'), said(0, 'a')[3]!])],
  [
    'what stands between turns is in another one',
    'turn shape',
    turns([...said(0, 'a'), ...started(1, 'b'), handedOn(0), event('turn.completed', turn(1)), ended(1)[2]!]),
  ],
  ['a turn ends twice', 'turn shape', turns([...said(0, 'a'), ...ended(0).slice(1)])],
  ['a turn begins twice', 'turn shape', turns([...said(0, 'a'), ...said(0, 'b')])],
  [
    'a step is skipped',
    'turn shape',
    turns([...started(0, 'a'), event('step.started', step(0, 1)), ...ended(0, 1)]),
  ],
  ['a turn ends and nobody waits', 'turn shape', turns([...said(0, 'a').slice(0, -1), ...said(1, 'b')])],
  ['a call has two results', 'tool effect', resultTwice()],
  ['a call is unknown to the log', 'tool effect', calls([], [delivered('pay', 'a')])],
  [
    'a call is repeated although that is not safe',
    'tool effect',
    calls(called(0, action('call_1', 'pay', 'a')), [delivered('pay', 'a'), delivered('pay', 'a')]),
  ],
  [
    'a repeat is not marked',
    'tool effect',
    calls(called(0, action('call_1', 'look_up', 'a')), [
      delivered('look_up', 'a'),
      delivered('look_up', 'a'),
    ]),
  ],
  ['a repeat has another key', 'tool effect', otherKey()],
  ['a result comes from nowhere', 'tool effect', calls(called(0, action('call_1', 'pay', 'a')), [])],
  [
    "another tenant's text is read",
    'isolation',
    history(said(0, 'of magpie'), {
      operations: [sent('of magpie')],
      connections: [connection(['{"of":"magpie"}'])],
    }),
  ],
  [
    'a call runs that nobody approved',
    'approval',
    calls(called(0, action('call_1', 'wire', 'a')), [delivered('wire', 'a')]),
  ],
  [
    'a denied call runs',
    'approval',
    {
      ...calls(
        [...asked(0, action('call_1', 'wire', 'a')), ...approved(1, 'deny')],
        [delivered('wire', 'a')],
      ),
    },
  ],
  ['61 turns are accepted in a minute', 'quota', quota(61, 59_000)],
])('finds that %s', (_name, invariant, checked) => {
  expect(broken(checked)).toContain(invariant);
});

test('allows the page’s result of one call while others of its step are waited for', () => {
  const lines = [
    ...said(0, 'a'),
    event('turn.started', turn(1)),
    result(1, 'call_0', 'go_to'),
    ...ended(1).slice(1),
  ];
  expect(broken(history(lines, { operations: [sent('a')] }))).toEqual([]);
});

test('allows 60 turns in a minute, and repeats of one', () => {
  expect(broken(quota(60, 59_000))).not.toContain('quota');
  expect(broken(quota(61, 61_000))).not.toContain('quota');
  const repeat = (started: number) => sent('a', { interface: 'chat', started, ended: started });
  const operations = Array.from({ length: 61 }, (_, index) => repeat(index));
  expect(broken(history(said(0, 'a'), { operations }))).toEqual([]);
});

function turns(lines: readonly string[]): History {
  return history(lines, { operations: [sent('a'), sent('b', { started: 2, ended: 3 })] });
}

function calls(lines: readonly string[], deliveries: readonly Delivery[]): History {
  return history(lines, { operations: lines.length > 0 ? [sent('a')] : [], deliveries });
}

function swapped(): History {
  const operations = [sent('a'), sent('b', { started: 2, ended: 3 })];
  return history([...said(0, 'b'), ...said(1, 'a')], { operations });
}

function differing(): History {
  const lines = said(0, 'a');
  const operations = [sent('a')];
  return history(lines, { operations, connections: [connection([lines[1]!])] });
}

function truncated(): History {
  const lines = said(0, 'a');
  return history(lines, { operations: [sent('a')], connections: [connection([...lines, ...said(1, 'b')])] });
}

function twice(): History {
  const lines = said(0, 'a');
  return history([...lines, ...lines], { operations: [sent('a')] });
}

function skipping(): History {
  const lines = said(0, 'a');
  const connections = [connection(lines.slice(0, 2)), connection(lines.slice(3), { startIndex: 3 })];
  return history(lines, { operations: [sent('a')], connections });
}

function resultTwice(): History {
  const lines = called(0, action('call_1', 'pay', 'a'));
  lines.splice(4, 0, result(0, 'call_1', 'pay'));
  return calls(lines, [delivered('pay', 'a')]);
}

function otherKey(): History {
  const lines = called(0, action('call_1', 'look_up', 'a'));
  lines.splice(4, 0, retried(0, 'call_1'));
  return calls(lines, [delivered('look_up', 'a'), delivered('look_up', 'a', 'another')]);
}

function quota(turnsTaken: number, withinMs: number): History {
  const operations = Array.from({ length: turnsTaken }, (_, index): Operation => {
    const at = (index * withinMs) / (turnsTaken - 1);
    return sent(`turn ${index}`, { interface: 'chat', started: at, ended: at });
  });
  return history(
    operations.flatMap(({ text }, index) => said(index, text ?? '')),
    { operations },
  );
}

test('a Chat message whose turn failed or was cancelled may be asked anew, and is answered once', () => {
  const failed = [
    ...started(0, 'a'),
    event('turn.failed', { ...turn(0), code: 'INTERNAL', message: 'Sorry.' }),
    event('session.waiting', { wait: 'next-user-message', continuationToken: 'parley:1' }),
  ];
  const chat = [sent('a', { interface: 'chat', outcome: 'unknown' }), sent('a', { interface: 'chat' })];
  expect(checkHistory(history([...failed, ...said(1, 'a')], { operations: chat }))).toEqual([]);
  const twice = [...said(0, 'a'), ...said(1, 'a')];
  expect(broken(history(twice, { operations: chat }))).toEqual(['durable']);
  expect(broken(history(failed, { operations: chat }))).toEqual(['durable']);
  const notChat = [sent('a', { outcome: 'unknown' }), sent('a')];
  expect(broken(history([...failed, ...said(1, 'a')], { operations: notChat }))).toEqual(['durable']);
});
