import type { SessionState } from '../../session/state/schema.ts';
import type { HistoryMessage } from '../context.ts';
import { historyStart } from '../prompt/prompt.ts';

/** What the agent is told between two turns. What is cleared or summarised up to the last one does not take it along. */
export function teamNote(state: SessionState, content: string): HistoryMessage {
  const last = state.nextTurn - 1;
  return { turn: last > historyStart(state) ? last : state.nextTurn, message: { role: 'team', content } };
}
