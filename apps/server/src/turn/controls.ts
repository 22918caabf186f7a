import { newEvent } from '../session/new-event.ts';
import type { QueuedItem } from '../store/store.ts';
import { compactNow } from './compaction.ts';
import { abandonedCalls } from './page-results.ts';
import { type TurnContext, checkpoint, sessionWaiting, turnAt } from './context.ts';

/** Starts the prompt afresh. What was asked is no longer waited for; the log keeps everything. */
export function clearContext(context: TurnContext, item: QueuedItem): Promise<void> {
  const { state, session, appender } = context;
  const last = state.nextTurn - 1;
  appender.add(...abandonedCalls(state.parked));
  appender.add(newEvent('context.cleared', { ...controlAt(last), sessionId: session.id }), sessionWaiting());
  return checkpoint(context, {
    state: { ...state, clearedThrough: last, parked: null, messageIds: [], promptTokens: 0 },
    consume: [item.position],
    release: true,
  });
}

export async function compactContext(context: TurnContext, item: QueuedItem): Promise<void> {
  await compactNow(context, controlAt(context.state.nextTurn - 1));
  context.appender.add(sessionWaiting());
  await checkpoint(context, { state: context.state, consume: [item.position], release: true });
}

/** Controls are no turns: they carry the coordinates of the last one. */
function controlAt(last: number) {
  return turnAt(Math.max(last, 0));
}
