import type { TurnInput, EditTarget } from '../session/queue-item.ts';
import { idle, waitingStep } from '../session/state/phase.ts';
import type { SessionState, Summary } from '../session/state/schema.ts';
import type { Checkpoint, HistoryMessage, TurnContext } from './context.ts';
import { readHistory } from './prompt/read-history.ts';

/** The state without the turns that an input takes back, and what a commit does to them. */
export async function replaceTurns(
  context: TurnContext,
  { replaces }: TurnInput,
): Promise<{ state: SessionState; replaced: Pick<Checkpoint, 'retract' | 'settleTurns'> }> {
  const { state, store, session } = context;
  const first = replaces && (await replacedTurn(context, replaces));
  if (first === null) return { state, replaced: {} };
  const retract = Array.from({ length: state.nextTurn - first }, (_, offset) => first + offset);
  const waiting = waitingStep(state);
  const settles = waiting !== null && waiting.sequence >= first;
  const phase = settles ? idle : state.phase;
  const messageIds = state.messageIds.filter(({ turn }) => turn < first);
  const summary = summaryBefore(first, state.summary);
  const without = { ...state, phase, messageIds, summary };
  // Turns that only the dropped summary stood for are part of the prompt again, as they were said.
  if (summary !== state.summary) context.history = await readHistory(store, session.id, without);
  return { state: without, replaced: { retract, ...(settles && { settleTurns: [waiting.sequence] }) } };
}

async function replacedTurn(
  { state, history, store, session }: TurnContext,
  { messageId: id, lastText }: EditTarget,
): Promise<number | null> {
  const known = state.messageIds.findLast(({ messageId }) => messageId === id);
  if (known) return known.turn;
  if (lastText === undefined) return null;
  const { summary } = state;
  const last =
    lastAsked(history) ??
    // The summary stands for every turn: the last question is in the history before it.
    (summary && lastAsked(await readHistory(store, session.id, { ...state, summary: summary.previous })));
  return last?.message.content === lastText ? last.turn : null;
}

/** The newest summary that stands for none of the turns from `first` on. */
function summaryBefore(first: number, summary: Summary | null): Summary | null {
  if (!summary || summary.through < first) return summary;
  const { previous } = summary;
  return previous && previous.through < first ? { ...previous, previous: null } : null;
}

function lastAsked(history: readonly HistoryMessage[]): HistoryMessage | undefined {
  return history.findLast(({ message }) => message.role === 'user');
}
