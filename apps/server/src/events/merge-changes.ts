import type { Commit } from '../store/event-store.ts';

export type Change = Omit<Commit, 'events'>;

/** Two changes made one after the other as one. */
export function mergeChanges(first: Change, second: Change): Change {
  // A commit withdraws before it adds history, so what the first would add for a withdrawn turn is left out here.
  const kept = first.history?.filter(({ turn }) => !second.retract?.includes(turn));
  return {
    ...first,
    ...second,
    ...(first.history && { history: [...(kept ?? []), ...(second.history ?? [])] }),
    ...(first.retract && { retract: [...first.retract, ...(second.retract ?? [])] }),
    ...(first.results && { results: [...first.results, ...(second.results ?? [])] }),
    ...(first.dropResults && { dropResults: [...first.dropResults, ...(second.dropResults ?? [])] }),
    ...(first.endTurns && { endTurns: [...first.endTurns, ...(second.endTurns ?? [])] }),
    ...(first.settleTurns && { settleTurns: [...first.settleTurns, ...(second.settleTurns ?? [])] }),
    ...(first.consume && { consume: [...first.consume, ...(second.consume ?? [])] }),
    ...(first.approvalMails && {
      approvalMails: [...first.approvalMails, ...(second.approvalMails ?? [])],
    }),
    ...(first.audit && { audit: [...first.audit, ...(second.audit ?? [])] }),
    ...(first.commands && { commands: [...first.commands, ...(second.commands ?? [])] }),
    ...(first.spend && { spend: [...first.spend, ...(second.spend ?? [])] }),
  };
}
