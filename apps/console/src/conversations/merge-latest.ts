import type { ConversationView } from '@parley/protocol/settings/conversation';
import type { Page } from '../api/call.ts';

/**
 * The pages with what the first one holds by now: what is new or has moved stands on top, and is nowhere else; what has
 * left the list is gone. A page that does not change keeps its identity, and is not drawn again.
 */
export function mergeLatest<Item extends ConversationView>(
  pages: readonly (readonly Item[])[],
  { items: latest, next }: Page<Item>,
): readonly (readonly Item[])[] {
  const [first = [], ...rest] = pages;
  const isSame =
    first.length === latest.length && first.every((each, index) => isUnchanged(each, latest[index]));
  const top = isSame ? first : latest;
  // The answer is the whole list.
  if (next === null) return [top];
  const leaving = new Set([...latest, ...goneFrom(pages.flat(), latest)].map(({ id }) => id));
  const others = (page: readonly Item[]) =>
    page.some(({ id }) => leaving.has(id)) ? page.filter(({ id }) => !leaving.has(id)) : page;
  // What was on the first page and is not any more has moved down, to the top of the others.
  const pushed = isSame ? [] : others(first);
  const below = rest.map(others);
  if (pushed.length > 0) below.splice(0, 1, [...pushed, ...(below[0] ?? [])]);
  return [top, ...below.filter((page) => page.length > 0)];
}

/** What stood above one that has not moved would be in the answer, too, if it were still in the list. */
function goneFrom<Item extends ConversationView>(shown: readonly Item[], latest: readonly Item[]): Item[] {
  const placeOf = ({ id, activeAt }: Item) =>
    shown.findIndex((each) => each.id === id && each.activeAt === activeAt);
  const still = latest.map(placeOf).findLast((place) => place !== -1);
  return shown.slice(0, still ?? 0);
}

const isUnchanged = (one: ConversationView, other: ConversationView | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
