import { expect, onTestFinished, test, vi } from 'vitest';
import type { StoredEvent } from '../store/event-store.ts';
import { RecentEvents } from './recent-events.ts';

function delta(index: number, messageDelta = 'a'): StoredEvent {
  const data = { sequence: 0, turnId: 'turn_0', stepIndex: 0, messageDelta };
  const meta = { at: '2026-01-01T00:00:00.000Z', id: `e${index}` };
  return { index, event: { type: 'message.appended', data, meta }, concealed: false, itemId: null };
}

test('knows what was appended since it began, and nothing from before', () => {
  const recent = new RecentEvents(() => undefined);
  recent.begin('s', 3);
  expect(recent.since('s', 3)).toEqual([]);
  recent.add('s', [delta(3), delta(4)]);
  recent.add('s', [delta(5)]);
  expect(recent.since('s', 4)?.map(({ index }) => index)).toEqual([4, 5]);
  expect(recent.since('s', 2)).toBeNull();
  expect(recent.since('another', 0)).toBeNull();
});

test('a gap, which another process filled, is not papered over', () => {
  const recent = new RecentEvents(() => undefined);
  recent.begin('s', 0);
  recent.add('s', [delta(0)]);
  recent.add('s', [delta(2)]);
  expect(recent.since('s', 0)).toBeNull();
  expect(recent.since('s', 2)).toBeNull();
});

test('a session that says more than is kept of one is not kept', () => {
  const recent = new RecentEvents(() => undefined);
  recent.begin('s', 0);
  recent.add('s', [delta(0, 'x'.repeat(64 * 1024))]);
  expect(recent.since('s', 0)).toBeNull();
});

test('of many sessions those that were appended to last are kept', () => {
  const recent = new RecentEvents(() => undefined);
  for (let number = 0; number < 200; number += 1) {
    recent.begin(`s${number}`, 0);
    recent.add(`s${number}`, [delta(0, 'x'.repeat(60_000))]);
  }
  expect(recent.since('s0', 0)).toBeNull();
  expect(recent.since('s199', 0)).toHaveLength(1);
});

test('a session that nothing was appended to for five seconds is let go of', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => now.mockRestore());
  const recent = new RecentEvents(() => undefined);
  recent.begin('old', 0);
  now.mockReturnValue(5_000);
  recent.begin('new', 0);
  expect(recent.since('old', 0)).toBeNull();
  expect(recent.since('new', 0)).toEqual([]);
});
