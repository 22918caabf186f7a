import type { InboxItem, InboxView } from '@parley/protocol/settings/inbox';

/** Whether something is asked of this member there, of whomever else it is, too. */
export function isAskedOf({ askedOf, askedOfIds }: InboxItem, memberId: string): boolean {
  // A service of the version before names the first alone.
  const ids: readonly string[] | undefined = askedOfIds;
  return ids?.includes(memberId) ?? askedOf?.id === memberId;
}

/** Whether a conversation is one of a view, for this member. */
function belongs(item: InboxItem, view: InboxView, memberId: string | undefined): boolean {
  if (view === 'all') return true;
  if (item.status === 'ended') return false;
  if (view === 'waiting') return item.waitingSince !== null;
  if (view === 'unassigned') return item.assignee === null;
  return memberId !== undefined && (item.assignee?.id === memberId || isAskedOf(item, memberId));
}

/** Whether the first stands before the second: who has waited longest, else who wrote last. */
const isBefore = (one: InboxItem, other: InboxItem, view: InboxView): boolean =>
  view === 'waiting' ? (one.waitingSince ?? '') < (other.waitingSince ?? '') : one.activeAt > other.activeAt;

interface Place {
  readonly view: InboxView;
  readonly memberId: string | undefined;
  /** All there is is there: what stands behind the last one is in the list, too. */
  readonly isWhole: boolean;
}

/** The list with a conversation as it is by now: moved where it belongs, or gone. */
export function placed(
  items: readonly InboxItem[],
  changed: InboxItem,
  { view, memberId, isWhole }: Place,
): readonly InboxItem[] {
  const at = items.findIndex(({ id }) => id === changed.id);
  const before = items[at];
  if (!belongs(changed, view, memberId)) return before ? items.toSpliced(at, 1) : items;
  // What only got another reader or note stays where it is.
  const isStill =
    before?.activeAt === changed.activeAt && before.waitingSince === changed.waitingSince && at !== -1;
  if (isStill) return items.with(at, changed);
  const others = before ? items.toSpliced(at, 1) : items;
  const place = others.findIndex((other) => isBefore(changed, other, view));
  if (place !== -1) return others.toSpliced(place, 0, changed);
  return isWhole || before ? [...others, changed] : others;
}

/** The list with its first page as it is by now: what stood among it and is not there any more is gone. */
export function refreshed(
  items: readonly InboxItem[],
  latest: readonly InboxItem[],
  { view, isWhole }: Pick<Place, 'view' | 'isWhole'>,
): readonly InboxItem[] {
  if (isWhole) return latest;
  const last = latest.at(-1);
  // Among the latest that were looked at is none of the view, which says nothing of those behind them.
  if (!last) return items;
  const ids = new Set(latest.map(({ id }) => id));
  return [...latest, ...items.filter((item) => !ids.has(item.id) && !isBefore(item, last, view))];
}
