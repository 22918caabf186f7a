import { expect, test } from 'vitest';
import { mergeChanges } from './merge-changes.ts';

test('lists follow one another, and the later value of anything else counts', () => {
  const first = { state: 1, history: [{ turn: 0, message: 'a' }], consume: [0] };
  const spend = [{ scope: 'tokens', windowMs: 1, amount: 2 }];
  expect(
    mergeChanges(first, { state: 2, history: [{ turn: 0, message: 'b' }], spend, release: true }),
  ).toEqual({
    state: 2,
    history: [
      { turn: 0, message: 'a' },
      { turn: 0, message: 'b' },
    ],
    consume: [0],
    spend,
    release: true,
  });
});

test('a turn withdrawn by the second change leaves nothing of the first, and keeps what the second adds', () => {
  const first = { history: [0, 1].map((turn) => ({ turn, message: 'said' })), withdraw: [5] };
  const second = { withdraw: [1], history: [{ turn: 1, message: 'anew' }] };
  expect(mergeChanges(first, second)).toEqual({
    history: [
      { turn: 0, message: 'said' },
      { turn: 1, message: 'anew' },
    ],
    withdraw: [5, 1],
  });
});
