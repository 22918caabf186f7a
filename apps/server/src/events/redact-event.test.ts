import type { SessionEvent } from '@parley/protocol/event';
import { expect, test } from 'vitest';
import { withoutAccess, redactEvent } from './redact-event.ts';

const meta = { at: '2026-01-01T00:00:00.000Z', id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' };
const step = { sequence: 0, turnId: 'turn_0', stepIndex: 0 };
const secret = 'canary';
const call = { callId: 'c', toolName: 'find' };
const result = { kind: 'tool-result' as const, ...call, output: secret };
const cause = { code: 'MODEL_NOT_FOUND', message: secret };
const failure = { code: 'MODEL_CALL_FAILED', message: 'Try again.', details: { errorId: 'e', cause } };

const concealable: SessionEvent[] = [
  { type: 'action.appended', data: { ...step, ...call, inputDelta: secret }, meta },
  {
    type: 'actions.requested',
    data: { ...step, actions: [{ kind: 'tool-call', ...call, input: { q: secret } }] },
    meta,
  },
  { type: 'action.partial', data: { ...step, result }, meta },
  {
    type: 'action.result',
    data: { ...step, result, status: 'failed', error: { code: 'TIMEOUT', message: secret } },
    meta,
  },
  {
    type: 'team.left',
    data: { sequence: 0, turnId: 'turn_0', author: { kind: 'team', name: 'Grace' }, summary: secret },
    meta,
  },
  {
    type: 'team.asked',
    data: { ...step, requestId: 'c', question: secret, expiresAt: meta.at },
    meta,
  },
  {
    type: 'team.answered',
    data: {
      sequence: 0,
      turnId: 'turn_0',
      requestId: 'c',
      outcome: 'answered',
      answer: secret,
      author: { kind: 'team', name: secret },
    },
    meta,
  },
  { type: 'step.failed', data: { ...step, ...failure }, meta },
  { type: 'turn.failed', data: { sequence: 0, turnId: 'turn_0', ...failure }, meta },
  { type: 'session.failed', data: { sessionId: 's', ...failure }, meta },
];

test.each(concealable.map((event) => [event.type, event] as const))(
  'a concealed %s shows nothing of the tool, or of why it failed, to a reader of its status',
  (_type, event) => {
    const stored = { index: 0, itemId: null, event, concealed: true };
    expect(JSON.stringify(redactEvent(stored, 'status'))).not.toContain(secret);
    expect(redactEvent(stored, 'status')).toMatchObject({ type: event.type, meta });
    expect(redactEvent(stored, 'team')).toBe(event);
    if (event.type.startsWith('team.')) return;
    expect(redactEvent(stored, 'full')).toBe(event);
    expect(redactEvent({ ...stored, concealed: false }, 'status')).toBe(event);
  },
);

test('what the team and the agent tell each other is for members alone, however it is marked', () => {
  for (const event of concealable.filter(({ type }) => type.startsWith('team.')))
    for (const concealed of [true, false])
      expect(JSON.stringify(redactEvent({ index: 0, itemId: null, event, concealed }, 'full'))).not.toContain(
        secret,
      );
});

const ofSession: SessionEvent[] = [
  { type: 'context.cleared', data: { sequence: 0, turnId: 'turn_0', sessionId: secret }, meta },
  {
    type: 'compaction.completed',
    data: { sequence: 0, turnId: 'turn_0', modelId: 'm', sessionId: secret },
    meta,
  },
  { type: 'session.failed', data: { code: 'X', message: 'x', sessionId: secret }, meta },
  {
    type: 'authorization.required',
    data: { ...step, name: 'n', description: 'd', authorization: { url: secret, displayName: 'n' } },
    meta,
  },
];

test.each(ofSession.map((event) => [event.type, event] as const))(
  'a %s in a transcript does not let its reader into the session',
  (_type, event) => {
    expect(JSON.stringify(withoutAccess(event))).not.toContain(secret);
  },
);

test('of a type that only a newer process knows, nothing is shown', () => {
  const event = {
    type: 'action.unheard',
    data: { ...step, output: secret },
    meta,
  } as unknown as SessionEvent;
  expect(redactEvent({ index: 0, itemId: null, event, concealed: true }, 'status')).toEqual({
    type: 'action.unheard',
    data: {},
    meta,
  });
  expect(redactEvent({ index: 0, itemId: null, event, concealed: false }, 'status')).toBe(event);
});
