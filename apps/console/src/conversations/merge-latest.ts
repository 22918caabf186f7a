import type { ConversationView } from '@parley/protocol/settings/conversation';

/**
 * The pages with what the first one holds by now: what is new or has moved stands on top, and is nowhere else. A page
 * that does not change keeps its identity, and is not drawn again.
 */
export function mergeLatest<Item extends ConversationView>(
  pages: readonly (readonly Item[])[],
  latest: readonly Item[],
): readonly (readonly Item[])[] {
  const ids = new Set(latest.map(({ id }) => id));
  const [first = [], ...rest] = pages;
  const others = (page: readonly Item[]) =>
    page.some(({ id }) => ids.has(id)) ? page.filter(({ id }) => !ids.has(id)) : page;
  const isSame =
    first.length === latest.length && first.every((each, index) => isUnchanged(each, latest[index]));
  // What was on the first page and is not any more has moved down, to the top of the others.
  const pushed = isSame ? [] : first.filter(({ id }) => !ids.has(id));
  const below = rest.map(others);
  if (pushed.length > 0) below.splice(0, 1, [...pushed, ...(below[0] ?? [])]);
  return [isSame ? first : latest, ...below.filter((page) => page.length > 0)];
}

const isUnchanged = (one: ConversationView, other: ConversationView | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
