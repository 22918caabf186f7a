import { createTransfer, revokeTransfer } from '@parley/client/transfer-session';
import type { ConversationCore } from '../conversation-core.ts';

/** Hands the conversation over to another browser, as `handOver` of a conversation does. */
export function createHandOver({ state, connection }: Pick<ConversationCore, 'state' | 'connection'>) {
  /** A conversation has one link at a time: the end of the one before would be the end of the next as well. */
  let before: Promise<unknown> = Promise.resolve();
  return async (signal: AbortSignal) => {
    // Whatever conversation is open by then, what was made for this one is revoked.
    const session = state.session.value;
    if (!session) return null;
    const made = before.then(() => {
      signal.throwIfAborted();
      return createTransfer(connection, session);
    });
    before = made
      .then(() => aborted(signal))
      .then(() => revokeTransfer(connection, session))
      .catch(() => {});
    return made;
  };
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
