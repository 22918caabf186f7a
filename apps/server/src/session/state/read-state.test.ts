import { expect, test } from 'vitest';
import { readState } from './read-state.ts';
import { type SessionState, initialState } from './schema.ts';
import { UnreadableStateError } from './unreadable-state-error.ts';

/** What a store gives back of a state. */
const stored = (state: unknown) => ({ state: JSON.parse(JSON.stringify(state)) as unknown });

const call = { callId: 'a1', toolName: 'refund', input: { name: 'A-17' }, result: null };
const content = [
  { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'signed' } } },
  { type: 'tool-call', toolCallId: 'a1', toolName: 'refund', input: { name: 'A-17' } },
];
const request = {
  requestId: 'apr_1',
  kind: 'tool-approval',
  prompt: 'Approve tool call: refund',
  action: { kind: 'tool-call', callId: 'a1', toolName: 'refund', input: { name: 'A-17' } },
  options: [{ id: 'approve', label: 'Yes' }],
};
const body = { text: 'And then?', parts: [{ type: 'text', text: 'And then?' }], fileIds: [] };

const unversioned = {
  mayAsk: false,
  clientTools: [{ name: 'show', description: 'Shows.', parameters: { type: 'object' } }],
  nextTurn: 4,
  turn: null,
  parked: null,
  approvedTools: ['digest'],
  clearedThrough: 1,
  summary: { text: 'They greeted.', through: 2 },
  messageIds: [{ turn: 3, messageId: 'msg_1' }],
};
const openTurn = {
  sequence: 3,
  itemId: 'item',
  wholeFrom: 3,
  from: 20,
  stepIndex: 1,
  step: null,
  next: [{ body, context: ['page'], received: true }],
  outputSchema: { type: 'object' },
  continues: 'msg_0',
  deadline: 1_000,
  visitor: 'ann',
};

test('a state that is stored is read as it was', () => {
  const states: SessionState[] = [
    initialState,
    { ...initialState, summary: { text: 'So far', through: 3, previous: { text: 'Before', through: 1 } } },
    readState(stored({ ...unversioned, turn: openTurn })),
  ];
  for (const state of states) expect(readState(stored(state))).toEqual(state);
});

test('a state without a version becomes what it meant: idle', () => {
  expect(readState(stored(unversioned))).toEqual({
    version: 2,
    hold: null,
    phase: { type: 'idle' },
    mode: 'conversation',
    canRequestInput: false,
    clientTools: unversioned.clientTools,
    nextTurn: 4,
    approvedTools: ['digest'],
    clearedUpTo: 1,
    summary: { text: 'They greeted.', through: 2, previous: null },
    promptTokens: null,
    messageIds: [{ turn: 3, messageId: 'msg_1' }],
  });
});

test('a state without a version becomes what it meant: a turn before its model call, or among its calls', () => {
  const { from: fromIndex, next: followUps, step: _, ...rest } = openTurn;
  const usage = { inputTokens: 0, outputTokens: 0 };
  const turn = { ...rest, fromIndex, followUps, usage, firstDeltaAt: null, unattended: false };
  expect(readState(stored({ ...unversioned, turn: openTurn })).phase).toEqual({ type: 'model', turn });

  const step = { content, calls: [call], requests: [request], usage: { inputTokens: 3 }, context: ['page'] };
  const open = { ...step, delegated: ['a1'], historyTurn: 3, resumed: false };
  expect(readState(stored({ ...unversioned, turn: { ...openTurn, step: open } })).phase).toEqual({
    type: 'tools',
    turn,
    step: {
      ...step,
      calls: [{ ...call, fingerprint: null }],
      clientCallIds: ['a1'],
      historyTurn: 3,
      resumed: false,
    },
  });
});

test('a state without a version becomes what it meant: waiting', () => {
  const answer = { requestId: 'apr_1', optionId: 'approve' };
  const parked = {
    sequence: 3,
    stepIndex: 0,
    content,
    calls: [{ ...call, fingerprint: 'digest' }],
    requests: [
      { request, answer: null, expiresAt: 5_000, expired: true },
      { request, answer },
    ],
    delegated: ['a1'],
    held: [{ body, context: [], received: true }],
    context: ['page'],
    unattended: true,
  };
  const { delegated: clientCallIds, ...rest } = parked;
  expect(readState(stored({ ...unversioned, parked })).phase).toEqual({
    type: 'waiting',
    step: {
      ...rest,
      clientCallIds,
      requests: [
        { request, response: null, expiresAt: 5_000, expired: true, by: 'visitor' },
        { request, response: answer, expiresAt: null, expired: false, by: 'visitor' },
      ],
    },
  });
});

test('a state of version 1 is the agent’s: nobody could hold it', () => {
  const { hold: _, ...before } = { ...initialState, nextTurn: 4 };
  expect(readState(stored({ ...before, version: 1 }))).toEqual({ ...initialState, nextTurn: 4 });
  expect(() => readState(stored({ ...initialState, version: 1 }))).toThrow(UnreadableStateError);
});

test('a state says who holds the conversation, and what they have not answered', () => {
  const hold = {
    member: { id: 'member_1', name: 'Grace' },
    fromIndex: 7,
    unanswered: [body],
    isAwayTold: true,
  };
  const held = { ...initialState, hold };
  expect(readState(stored(held))).toEqual(held);
});

test.each([
  ['nothing', null],
  ['a text', 'idle'],
  ['an object of something else', { turns: 0 }],
  ['a later version', { ...initialState, version: 3 }],
  ['a phase that there is not', { ...initialState, phase: { type: 'thinking' } }],
  ['a field that is missing', { ...initialState, nextTurn: undefined }],
  ['a field that nobody knows', { ...initialState, mood: 'good' }],
  ['a part of a message that there is not', { ...unversioned, parked: { content: [{ type: 'dance' }] } }],
])('%s is no state', (_name, state) => {
  expect(() => readState(stored(state))).toThrow(UnreadableStateError);
});

test('the error says where the state differs, and nothing that anybody said', () => {
  const secret = { ...initialState, summary: { text: ['my secret'], through: 1, previous: null } };
  expect(() => readState(stored(secret))).toThrow(/summary\.text: /);
  expect(() => readState(stored(secret))).not.toThrow(/my secret/);
});
