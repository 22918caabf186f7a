import { expect, test } from 'vitest';
import { mergeChanges } from './merge-changes.ts';

test('lists follow one another, and the later value of anything else counts', () => {
  const command = { id: 'command_1', outcome: 'cancelled' };
  const first = { state: 1, history: [{ turn: 0, message: 'a' }], consume: [0], commands: [command] };
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
    commands: [command],
    spend,
    release: true,
  });
  expect(mergeChanges(first, { commands: [command] }).commands).toEqual([command, command]);
});

test('a turn withdrawn by the second change leaves nothing of the first, and keeps what the second adds', () => {
  const first = { history: [0, 1].map((turn) => ({ turn, message: 'said' })), retract: [5] };
  const second = { retract: [1], history: [{ turn: 1, message: 'anew' }] };
  expect(mergeChanges(first, second)).toEqual({
    history: [
      { turn: 0, message: 'said' },
      { turn: 1, message: 'anew' },
    ],
    retract: [5, 1],
  });
});
