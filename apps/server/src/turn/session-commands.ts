import { newEvent } from '../events/new-event.ts';
import { idle, waitingStep } from '../session/state/phase.ts';
import type { QueueItem } from '../store/queue-store.ts';
import { compactNow } from './prompt/compact.ts';
import { abandonedCalls } from './client-tool-results.ts';
import { answeredThread } from './settle-waiting-step.ts';
import { withdrawnQuestions } from './team/team-question.ts';
import { type TurnContext, checkpoint, sessionWaiting, turnAt } from './context.ts';

/** Starts the prompt afresh. What was asked is no longer waited for; the log keeps everything. */
export function clearContext(context: TurnContext, item: QueueItem): Promise<void> {
  const { state, session, appender } = context;
  const last = state.nextTurn - 1;
  const waiting = waitingStep(state);
  appender.add(...withdrawnQuestions(waiting), ...abandonedCalls(waiting, 'The conversation was cleared.'));
  appender.add(newEvent('context.cleared', { ...controlAt(last), sessionId: session.id }), sessionWaiting());
  return checkpoint(context, {
    state: { ...state, clearedUpTo: last, phase: idle, messageIds: [], promptTokens: 0 },
    ...(waiting && answeredThread(waiting)),
    settleTurns: waiting ? [waiting.sequence] : [],
    consume: [item.position],
    release: true,
  });
}

export async function compactContext(context: TurnContext, item: QueueItem): Promise<void> {
  await compactNow(context, controlAt(context.state.nextTurn - 1));
  context.appender.add(sessionWaiting());
  await checkpoint(context, { state: context.state, consume: [item.position], release: true });
}

/** Controls are no turns: they carry the coordinates of the last one. */
function controlAt(last: number) {
  return turnAt(Math.max(last, 0));
}
