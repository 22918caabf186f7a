import type { SessionEvent } from '@parley/protocol/event';
import { expect, test } from 'vitest';
import { reduceTranscript } from './reduce-transcript.ts';
import { emptyTranscript, type Transcript } from './transcript.ts';

const meta = { at: '2026-01-01T00:00:00.000Z', id: 'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV' };
const turn = { turnId: 'turn_0', sequence: 0 };
const started: SessionEvent = { type: 'turn.started', data: turn, meta };
const required: SessionEvent = {
  type: 'authorization.required',
  data: { ...turn, stepIndex: 0, name: 'calendar', description: 'To see when you are free' },
  meta,
};
const completed: SessionEvent = {
  type: 'authorization.completed',
  data: { ...turn, stepIndex: 0, name: 'calendar', outcome: 'authorized' },
  meta,
};

const after = (...events: SessionEvent[]) =>
  events.reduce<Transcript>(
    (transcript, event, index) => reduceTranscript(transcript, { index, event }),
    emptyTranscript,
  );

test('a sign-in the agent waits for is a part of its turn until it is done', () => {
  const part = {
    kind: 'sign-in',
    stepIndex: 0,
    name: 'calendar',
    description: 'To see when you are free',
    authorization: {},
  };
  expect(after(started, required).turns[0]?.parts).toEqual([part]);
  expect(after(started, required, completed).turns[0]?.parts).toEqual([{ ...part, outcome: 'authorized' }]);
});

test('an outcome that came earlier is not changed by a later sign-in of that name', () => {
  const declined: SessionEvent = {
    ...completed,
    data: { ...completed.data, outcome: 'declined' },
  } as SessionEvent;
  const [first] = after(started, required, declined, required, completed).turns;
  expect(first?.parts).toMatchObject([{ outcome: 'declined' }, { outcome: 'authorized' }]);
});
