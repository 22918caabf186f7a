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
const idsOf = (pages: readonly (readonly ConversationView[])[]) =>
  pages.map((page) => page.map(({ id }) => id));

test('what is new or moved stands on top, once, and nothing is lost', () => {
  const pages = [of('a', 'b'), of('c', 'd'), of('e')];
  expect(idsOf(mergeLatest(pages, of('x', 'a')))).toEqual([['x', 'a'], ['b', 'c', 'd'], ['e']]);
  expect(idsOf(mergeLatest(pages, of('d', 'a')))).toEqual([['d', 'a'], ['b', 'c'], ['e']]);
  expect(idsOf(mergeLatest(pages, of('e', 'a')))).toEqual([
    ['e', 'a'],
    ['b', 'c', 'd'],
  ]);
  expect(idsOf(mergeLatest([of('a')], of('x', 'y')))).toEqual([['x', 'y'], ['a']]);
});

test('pages that did not change are the very same', () => {
  const pages = [of('a', 'b'), of('c', 'd'), of('e')];
  const merged = mergeLatest(pages, of('a', 'b'));
  expect(merged.every((page, index) => page === pages[index])).toBe(true);
  const changed = mergeLatest(pages, [conversation('a', 2), conversation('b')]);
  expect([changed[0]?.[0]?.turns, changed[1] === pages[1]]).toEqual([2, true]);
});
