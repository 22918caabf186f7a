import { readState } from '../session/state/read-state.ts';
import type { SessionState } from '../session/state/schema.ts';
import type { FinishedCommand } from '../store/command-store.ts';
import type { SessionRecord } from '../store/session-store.ts';
import { loadCallResults, splitCallResults } from './call-results.ts';
import type { FinishedTurn } from './finish-turn.ts';
import type { SessionWork } from './session-work.ts';

/** Ends the turn that the stored state has open. True when the lease was let go with it. */
export async function endStoredTurn(
  { store, appender }: Pick<SessionWork, 'store' | 'appender'>,
  session: SessionRecord,
  finishTurn: (state: SessionState) => FinishedTurn,
  commands: readonly FinishedCommand[] = [],
): Promise<boolean> {
  const { state, resultIds } = await loadCallResults(store, session.id, readState(session));
  const { events, change } = finishTurn(state);
  appender.add(...events);
  const { released } = await appender.commit({
    ...change,
    ...splitCallResults(change.state, resultIds),
    ...(commands.length > 0 && { commands }),
  });
  return released;
}
