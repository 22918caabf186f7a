import type { QueueStore } from '../store/queue-store.ts';
import type { SessionRecord, SessionStore } from '../store/session-store.ts';
import type { NamedTurn } from './session-command.ts';
import { type Turn, openTurn } from './state/phase.ts';
import { readState } from './state/read-state.ts';
import { UnreadableStateError } from './state/unreadable-state-error.ts';

/** The open turn of a session or, where none is, the first item that waits; null when there is neither. */
export async function nextTurn(
  store: Pick<QueueStore & SessionStore, 'listQueue' | 'getSession'>,
  sessionId: string,
): Promise<NamedTurn | 'not-open' | null> {
  // The queue is read first: an item that begins between the two reads is then found open, not passed over.
  const [first] = await store.listQueue(sessionId);
  const session = await store.getSession(sessionId);
  if (session?.status !== 'open') return 'not-open';
  const turn = readOpenTurn(session);
  if (turn) return { turnId: `turn_${turn.sequence}` };
  return first ? { itemId: first.id } : null;
}

/** Null also where the state cannot be read: whoever runs the session fails what is open in it. */
function readOpenTurn(session: SessionRecord): Turn | null {
  try {
    return openTurn(readState(session));
  } catch (error) {
    if (error instanceof UnreadableStateError) return null;
    throw error;
  }
}
