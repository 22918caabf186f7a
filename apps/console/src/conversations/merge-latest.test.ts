import type { ConversationView } from '@parley/protocol/settings/conversation';
import { expect, test } from 'vitest';
import { mergeLatest } from './merge-latest.ts';

const conversation = (id: string, turns = 1): ConversationView => ({
  id,
  tenantId: 't',
  agentId: 'a',
  interface: 'sessions',
  conversationId: null,
  status: 'open',
  visitor: null,
  firstMessage: null,
  turns,
  rating: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  activeAt: '2026-01-01T00:00:00.000Z',
});
const of = (...ids: string[]) => ids.map((id) => conversation(id));
/** As the first page of a longer list. */
const latest = (...ids: string[]) => ({ items: of(...ids), next: 'cursor' });
const idsOf = (pages: readonly (readonly ConversationView[])[]) =>
  pages.map((page) => page.map(({ id }) => id));

test('what is new or moved stands on top, once, and nothing is lost', () => {
  const pages = [of('a', 'b'), of('c', 'd'), of('e')];
  expect(idsOf(mergeLatest(pages, latest('x', 'a')))).toEqual([['x', 'a'], ['b', 'c', 'd'], ['e']]);
  expect(idsOf(mergeLatest(pages, latest('d', 'a')))).toEqual([['d', 'a'], ['b', 'c'], ['e']]);
  expect(idsOf(mergeLatest(pages, latest('e', 'a')))).toEqual([
    ['e', 'a'],
    ['b', 'c', 'd'],
  ]);
  expect(idsOf(mergeLatest([of('a')], latest('x', 'y')))).toEqual([['x', 'y'], ['a']]);
});

test('pages that did not change are the very same', () => {
  const pages = [of('a', 'b'), of('c', 'd'), of('e')];
  const merged = mergeLatest(pages, latest('a', 'b'));
  expect(merged.every((page, index) => page === pages[index])).toBe(true);
  const changed = mergeLatest(pages, {
    items: [conversation('a', 2), conversation('b')],
    next: 'cursor',
  });
  expect([changed[0]?.[0]?.turns, changed[1] === pages[1]]).toEqual([2, true]);
});

test('what has left the list is gone, also where the answer has all of it', () => {
  const pages = [of('a', 'b'), of('c', 'd'), of('e')];
  expect(idsOf(mergeLatest(pages, latest('a', 'c')))).toEqual([['a', 'c'], ['d'], ['e']]);
  expect(idsOf(mergeLatest(pages, latest('x', 'd')))).toEqual([['x', 'd'], ['e']]);
  expect(idsOf(mergeLatest(pages, { items: of('b', 'c'), next: null }))).toEqual([['b', 'c']]);
  expect(idsOf(mergeLatest(pages, { items: [], next: null }))).toEqual([[]]);
  const same = mergeLatest([of('a'), of('b')], { items: of('a'), next: null });
  expect(idsOf(same)).toEqual([['a']]);
});

test('beside one that has moved up nothing is known to have left', () => {
  const moved = { ...conversation('d'), activeAt: '2026-01-02T00:00:00.000Z' };
  expect(idsOf(mergeLatest([of('a', 'b'), of('c', 'd')], { items: [moved], next: 'cursor' }))).toEqual([
    ['d'],
    ['a', 'b', 'c'],
  ]);
});
