import type { InboxItem } from '@parley/protocol/settings/inbox';
import { expect, test } from 'vitest';
import { placed, refreshed } from './place-item.ts';

const item = (id: string, minute: number, more: Partial<InboxItem> = {}): InboxItem => ({
  id,
  tenantId: 't',
  agentId: 'a',
  interface: 'sessions',
  conversationId: null,
  visitor: null,
  status: 'open',
  firstMessage: id,
  turns: 1,
  rating: null,
  createdAt: at(0),
  activeAt: at(minute),
  holder: null,
  assignee: null,
  waitingSince: null,
  askedOf: null,
  askedOfIds: [],
  notes: 0,
  ...more,
});
const at = (minute: number) => new Date(minute * 60_000).toISOString();
const ids = (items: readonly InboxItem[]) => items.map(({ id }) => id).join('');
const grace = { id: 'member_1', name: 'Grace' };
const askedOf = (...members: readonly (typeof grace)[]) => ({
  askedOf: members[0] ?? null,
  askedOfIds: members.map(({ id }) => id),
});
const all = { view: 'all', memberId: grace.id, isWhole: false } as const;

test('whoever writes stands on top, and what is only noted stays where it is', () => {
  const items = [item('a', 3), item('b', 2), item('c', 1)];
  expect(ids(placed(items, item('c', 4), all))).toBe('cab');
  expect(ids(placed(items, item('d', 5), all))).toBe('dabc');
  const noted = placed(items, item('b', 2, { notes: 1 }), all);
  expect([ids(noted), noted[1]?.notes]).toEqual(['abc', 1]);
});

test('what is one’s own is what one looks after, and what waits for one', () => {
  const of = { ...all, view: 'mine' } as const;
  const edith = { id: 'member_2', name: 'Edith' };
  const own = placed([], item('a', 1, { assignee: edith, ...askedOf(grace) }), { ...of, isWhole: true });
  expect(ids(own)).toBe('a');
  // Of two of whom something is asked there, the second is one as well.
  expect(ids(placed(own, item('a', 2, askedOf(edith, grace)), of))).toBe('a');
  expect(ids(placed(own, item('a', 2, { assignee: edith, ...askedOf(edith) }), of))).toBe('');
  expect(ids(placed(own, item('a', 2, { assignee: grace, ...askedOf(edith) }), of))).toBe('a');
});

test('a view has what belongs to it and loses what does not any more', () => {
  const waiting = [item('a', 1, { waitingSince: at(1) }), item('b', 2, { waitingSince: at(2) })];
  const of = { ...all, view: 'waiting' } as const;
  const later = item('c', 3, { waitingSince: at(3) });
  expect(ids(placed(waiting, item('a', 4), of))).toBe('b');
  // Whether others stand between them is not known before they are read.
  expect(ids(placed(waiting, later, of))).toBe('ab');
  expect(ids(placed(waiting, later, { ...of, isWhole: true }))).toBe('abc');
  expect(ids(placed([], item('a', 1, { assignee: grace }), { ...all, view: 'mine' }))).toBe('');
  expect(ids(placed([], item('a', 1, { assignee: grace }), { ...all, view: 'mine', isWhole: true }))).toBe(
    'a',
  );
  expect(ids(placed([item('a', 1)], item('a', 1, { assignee: grace }), { ...all, view: 'unassigned' }))).toBe(
    '',
  );
  expect(ids(placed([item('a', 1)], item('a', 1, { status: 'ended' }), { ...all, view: 'unassigned' }))).toBe(
    '',
  );
});

test('a first page that is read again replaces what stood among it, and nothing behind it', () => {
  const items = [item('a', 9), item('b', 8), item('c', 7), item('d', 6)];
  const latest = [item('e', 10), item('a', 9), item('c', 7)];
  expect(ids(refreshed(items, latest, { ...all, isWhole: false }))).toBe('eacd');
  expect(ids(refreshed(items, latest, { ...all, isWhole: true }))).toBe('eac');
  expect(ids(refreshed(items, [], { ...all, isWhole: false }))).toBe('abcd');
  expect(ids(refreshed(items, [], { ...all, isWhole: true }))).toBe('');
  // Of one moment, which of two stands behind the other is not known.
  expect(ids(refreshed([...items, item('e', 7)], latest.slice(1), { ...all, isWhole: false }))).toBe('acde');
});
