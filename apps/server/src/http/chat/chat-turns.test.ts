import { expect, onTestFinished, test, vi } from 'vitest';
import { LocalBus } from '../../bus/local-bus.ts';
import { ChatTurns } from './chat-turns.ts';

const elsewhere = 'a process that reads nothing';

/** Processes that hear one another, and what each of them has asked to be abandoned. */
function processes() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const bus = new LocalBus((error) => expect.fail(String(error)));
  return () => {
    const abandoned: string[] = [];
    const turns = new ChatTurns({
      bus,
      abandon: async (_sessionId, itemId) => void abandoned.push(itemId),
      onError: (error) => expect.fail(String(error)),
      graceMs: 60_000,
    });
    onTestFinished(() => turns.close());
    return { turns, abandoned };
  };
}

test('a process knows what the others read, until their readers have left or the turn is over', () => {
  const start = processes();
  const [one, other] = [start().turns, start().turns];
  const readers = [one.read('session', 'item'), one.read('session', 'item')];
  expect(other.isRead('session', 'item', elsewhere)).toBe(true);
  expect(other.isRead('session', 'another', elsewhere)).toBe(false);
  readers[0]!.left(true);
  expect(other.isRead('session', 'item', elsewhere)).toBe(true);
  readers[1]!.left(true);
  expect(other.isRead('session', 'item', elsewhere)).toBe(false);
  const last = one.read('session', 'item');
  expect(other.isRead('session', 'item', elsewhere)).toBe(true);
  last.finished();
  expect(other.isRead('session', 'item', elsewhere)).toBe(false);
});

test('what a process reads it says again, so that one that has just begun hears of it', async () => {
  const start = processes();
  start().turns.read('session', 'item');
  const late = start().turns;
  expect(late.isRead('session', 'item', elsewhere)).toBe(false);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(late.isRead('session', 'item', elsewhere)).toBe(true);
});

test('of a process that says nothing any more it is forgotten what it read', async () => {
  const start = processes();
  const [dies, stays] = [start().turns, start().turns];
  dies.read('session', 'item');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(stays.isRead('session', 'item', elsewhere)).toBe(true);
  dies.close();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(stays.isRead('session', 'item', elsewhere)).toBe(false);
});

test('when the conversation goes on, a turn is abandoned wherever its readers are awaited, and once they have left', () => {
  const start = processes();
  const [one, other, third] = [start(), start(), start()];
  one.turns.read('session', 'item').left(true);
  const reader = other.turns.read('session', 'item');
  third.turns.supersede('session', 'item');
  expect([one, other, third].map(({ abandoned }) => abandoned)).toEqual([['item'], [], ['item']]);
  reader.left(true);
  expect(other.abandoned).toEqual(['item']);
});
