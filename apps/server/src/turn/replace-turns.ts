import type { Delivery, Replaced } from '../session/item.ts';
import type { SessionState } from '../session/state.ts';
import type { HistoryMessage, TurnContext } from './context.ts';
import { readHistory } from './read-history.ts';

/** The turns a delivery takes back, and the state without them. */
export async function replaceTurns(
  context: TurnContext,
  { replaces }: Delivery,
): Promise<{ state: SessionState; withdraw: readonly number[] }> {
  const { state, store, session } = context;
  const first = replaces && (await replacedTurn(context, replaces));
  if (first === null) return { state, withdraw: [] };
  const withdraw = Array.from({ length: state.nextTurn - first }, (_, offset) => first + offset);
  const parked = state.parked && state.parked.sequence >= first ? null : state.parked;
  const messageIds = state.messageIds.filter(({ turn }) => turn < first);
  const summary = [state.summary, state.summary?.previous].find((one) => one && one.through < first) ?? null;
  const replaced = { ...state, parked, messageIds, summary };
  // Turns that only the dropped summary stood for are part of the prompt again, as they were said.
  if (summary !== state.summary) context.history = await readHistory(store, session.id, replaced);
  return { state: replaced, withdraw };
}

async function replacedTurn(
  { state, history, store, session }: TurnContext,
  replaced: Replaced,
): Promise<number | null> {
  if ('messageId' in replaced)
    return state.messageIds.findLast(({ messageId }) => messageId === replaced.messageId)?.turn ?? null;
  const { summary } = state;
  const last =
    lastAsked(history) ??
    // The summary stands for every turn: the last question is in the history before it.
    (summary &&
      lastAsked(await readHistory(store, session.id, { ...state, summary: summary.previous ?? null })));
  return last?.message.content === replaced.lastText ? last.turn : null;
}

function lastAsked(history: readonly HistoryMessage[]): HistoryMessage | undefined {
  return history.findLast(({ message }) => message.role === 'user');
}
