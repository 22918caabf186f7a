import type { SessionEvent } from '@parley/protocol/event';
import { expect, test } from 'vitest';
import { failureOf, revisionOf, stepsOf, turnIdOf } from './turn-steps.ts';

const turn = { sequence: 0, turnId: 'turn_0' };
const step = (stepIndex: number) => ({ ...turn, stepIndex });
const at = (ms: number) => ({ at: new Date(ms).toISOString(), id: 'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV' });
const action = { kind: 'tool-call' as const, callId: 'c', toolName: 'find', input: {} };
const result = { kind: 'tool-result' as const, callId: 'c', toolName: 'find', output: 1 };

const events: SessionEvent[] = [
  { type: 'turn.started', data: { ...turn, revision: 7 }, meta: at(0) },
  { type: 'step.started', data: step(0), meta: at(10) },
  { type: 'actions.requested', data: { ...step(0), actions: [action] }, meta: at(1_010) },
  { type: 'action.result', data: { ...step(0), result, status: 'completed' }, meta: at(1_260) },
  {
    type: 'step.completed',
    data: { ...step(0), finishReason: 'tool-calls', usage: { inputTokens: 7, outputTokens: 3 } },
    meta: at(1_270),
  },
  { type: 'step.started', data: step(1), meta: at(1_280) },
  { type: 'step.failed', data: { ...step(1), code: 'INTERNAL', message: 'x' }, meta: at(1_300) },
  { type: 'step.started', data: step(2), meta: at(1_400) },
];

test('a turn names the revision that answered it, as the history does', () => {
  const logged = events.map((event, index) => ({ index, event }));
  expect([revisionOf(logged), revisionOf(logged.slice(1))]).toEqual([7, null]);
});

test('each call of the model and of a tool is a step, with its time, tokens and outcome', () => {
  expect(stepsOf(events.map((event, index) => ({ index, event })))).toEqual([
    { kind: 'model', name: '', tookMs: 1_000, tokens: { input: 7, output: 3 }, outcome: 'completed' },
    { kind: 'tool', name: 'find', tookMs: 250, tokens: null, outcome: 'completed' },
    { kind: 'model', name: '', tookMs: 20, tokens: null, outcome: 'failed' },
    { kind: 'model', name: '', tookMs: null, tokens: null, outcome: null },
  ]);
  expect(events.map(turnIdOf)).toEqual(events.map(() => 'turn_0'));
  expect(turnIdOf({ type: 'session.completed', meta: at(0) })).toBeNull();
});

test('why a turn failed is said where its log says it', () => {
  const failed = (details: unknown) => {
    const data = { ...turn, code: 'MODEL_CALL_FAILED', message: 'x', details };
    return failureOf([{ index: 0, event: { type: 'turn.failed', data, meta: at(0) } }]);
  };
  expect(failed({ errorId: 'e', cause: { code: 'MODEL_TIMED_OUT', message: 'It took too long.' } })).toBe(
    'It took too long.',
  );
  expect([failed({ errorId: 'e' }), failed(undefined), failureOf([])]).toEqual([null, null, null]);
});
