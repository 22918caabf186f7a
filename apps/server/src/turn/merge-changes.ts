import type { Commit } from '../store/store.ts';

export type Change = Omit<Commit, 'events' | 'now'>;

/** Two changes made one after the other as one. */
export function mergeChanges(first: Change, second: Change): Change {
  // A commit withdraws before it adds history, so what the first would add for a withdrawn turn is left out here.
  const kept = first.history?.filter(({ turn }) => !second.withdraw?.includes(turn));
  return {
    ...first,
    ...second,
    ...(first.history && { history: [...(kept ?? []), ...(second.history ?? [])] }),
    ...(first.withdraw && { withdraw: [...first.withdraw, ...(second.withdraw ?? [])] }),
    ...(first.results && { results: [...first.results, ...(second.results ?? [])] }),
    ...(first.dropResults && { dropResults: [...first.dropResults, ...(second.dropResults ?? [])] }),
    ...(first.consume && { consume: [...first.consume, ...(second.consume ?? [])] }),
    ...(first.spend && { spend: [...first.spend, ...(second.spend ?? [])] }),
  };
}
