import { expect, test } from 'vitest';
import type { Waiting } from '../loader/embed.ts';
import { judge } from './judge.ts';

test('a call that is not taken waits no longer, and the others wait on', async () => {
  const call: Waiting = ['identify', 5];
  const other: Waiting = ['close'];
  const waiting = [call, other];
  await expect(judge(waiting, call, () => expect.unreachable('It is refused.'))).rejects.toThrow(
    'Parley: identify takes',
  );
  expect(waiting).toEqual([other]);
});

test('a call that a panel has taken by the time it is judged takes no other with it', async () => {
  const call: Waiting = ['context', { basket: 'x'.repeat(20_000) }];
  const waiting = [call];
  const judged = expect(judge(waiting, call, () => expect.unreachable('It is refused.'))).rejects.toThrow();
  const other: Waiting = ['close'];
  waiting.splice(0, 1, other);
  await judged;
  expect(waiting).toEqual([other]);
});
