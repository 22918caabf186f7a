import type { SessionEvent } from '@parley/protocol/event';
import type { Store } from '../store/store.ts';
import { logPages } from './log-pages.ts';

/** How the turn of a queued item ended, or null while it waits or runs. It begins at the log's index `from` or later. */
export async function turnOf(
  store: Store,
  sessionId: string,
  itemId: string,
  from: number,
): Promise<SessionEvent['type'] | null> {
  let turnId: string | null = null;
  for await (const events of logPages(store, sessionId, { from })) {
    for (const { event, itemId: startedBy } of events) {
      if (event.type === 'turn.started' && startedBy === itemId) turnId = event.data.turnId;
      if (turnId === null || !('data' in event) || !('turnId' in event.data) || event.data.turnId !== turnId)
        continue;
      if (event.type === 'turn.completed' || event.type === 'turn.failed' || event.type === 'turn.cancelled')
        return event.type;
    }
  }
  return null;
}
