import { emptyTranscript, type Transcript } from './transcript.ts';
import type { Turn } from './turn.ts';
import { expect, test } from 'vitest';
import { conversationEvents } from './conversation-events.ts';

const running: Turn = {
  id: 'turn_1',
  sequence: 0,
  status: 'running',
  startedAt: '2026-11-21T12:00:00.000Z',
  user: { text: 'Hello', parts: [] },
  parts: [],
};
const completed: Turn = {
  ...running,
  status: 'completed',
  parts: [
    { kind: 'text', stepIndex: 0, text: 'Good ', done: true },
    { kind: 'text', stepIndex: 1, text: 'morning', done: true },
  ],
};
const of = (...turns: Turn[]): Transcript => ({ ...emptyTranscript, turns });
const request = {
  requestId: 'ask_1',
  prompt: 'Which one?',
  turnId: 'turn_1',
  action: { kind: 'tool-call', callId: 'call_1', toolName: 'refund_order', input: {} },
} as const;

test('what the visitor says is told when it is in the log, the answer when it is complete, each once', () => {
  expect(conversationEvents(emptyTranscript, of(running), () => true)).toEqual([
    ['message', { role: 'visitor', text: 'Hello', turnId: 'turn_1' }],
  ]);
  expect(conversationEvents(of(running), of(completed), () => true)).toEqual([
    ['message', { role: 'agent', text: 'Good morning', turnId: 'turn_1' }],
  ]);
  expect(conversationEvents(of(completed), of({ ...completed }), () => true)).toEqual([]);
});

test('a conversation from before the page tells nothing but what still waits for the visitor', () => {
  const asking: Transcript = {
    ...of(completed),
    requests: [
      { ...request, kind: 'tool-approval' },
      { ...request, requestId: 'ask_2', kind: 'question' },
    ],
  };
  expect(conversationEvents(emptyTranscript, asking, () => false)).toEqual([
    ['approval', { requestId: 'ask_1', toolName: 'refund_order' }],
    ['question', { requestId: 'ask_2', prompt: 'Which one?' }],
  ]);
  expect(conversationEvents(asking, { ...asking }, () => false)).toEqual([]);
});

test('an answer that failed is no message', () => {
  expect(conversationEvents(of(running), of({ ...completed, status: 'failed' }), () => true)).toEqual([]);
});
