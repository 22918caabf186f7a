import type { Turn, TurnPart } from './turn.ts';
import { expect, test } from 'vitest';
import { countAnswers } from './count-answers.ts';

const user = { text: 'Refund', parts: [] };
const text = { kind: 'text', stepIndex: 0, text: 'Done.', done: true } as TurnPart;
const tool = (more: object) => ({ kind: 'tool', callId: 'c', toolName: 't', ...more }) as unknown as TurnPart;
const turn = (parts: TurnPart[], more: Partial<Turn> = {}): Turn => ({
  id: '',
  sequence: 0,
  status: 'completed',
  startedAt: '',
  parts,
  ...more,
});
const resumed = turn([text]);
const approval = { requestId: 'r', prompt: '', options: [] };

test.for<[what: string, turns: Turn[], answers: number]>([
  ['an answer', [turn([text], { user })], 1],
  ['an answer that is being written', [turn([text], { user, status: 'running' })], 0],
  ['an answer that failed', [turn([], { user, status: 'failed' })], 1],
  ['a message that waits for the team', [turn([], { user })], 0],
  [
    'a message that nobody of the team is there for',
    [turn([], { user, away: { reason: 'nobody', message: null } })],
    1,
  ],
  [
    'one of two approvals',
    [turn([text, tool({ state: 'awaiting-approval', approval })], { user }), turn([])],
    0,
  ],
  ['a result that came too late', [turn([text], { user }), turn([])], 1],
  [
    'an approval and no words of what came of it',
    [turn([text, tool({ state: 'completed', approval })], { user }), turn([])],
    1,
  ],
  ['a call without words after it', [turn([tool({ state: 'completed' })], { user })], 1],
  [
    'an approval that is waited for',
    [turn([text, tool({ state: 'awaiting-approval', approval })], { user })],
    0,
  ],
  [
    'an approval and what came of it',
    [turn([text, tool({ state: 'completed', approval })], { user }), resumed],
    1,
  ],
  ['a question', [turn([{ kind: 'question', state: 'open' } as TurnPart], { user })], 0],
  [
    'a question and what came of it',
    [turn([{ kind: 'question', state: 'answered' } as TurnPart], { user }), resumed],
    1,
  ],
  ['a call that the page has', [turn([tool({ state: 'delegated' })], { user })], 0],
  ['a call that the page had', [turn([tool({ state: 'completed' })], { user }), resumed], 1],
  ['two answers', [turn([text], { user }), turn([text], { user })], 2],
])('%s', ([, turns, answers]) => {
  expect(countAnswers({ turns })).toBe(answers);
});
