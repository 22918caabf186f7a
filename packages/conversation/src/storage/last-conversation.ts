import type { SessionReference } from '@parley/client/session-input';
import type { ConversationCore } from '../conversation-core.ts';
import type { ConversationStorage } from './conversation-storage.ts';

/** What it takes to come back to a conversation, and to recognise it. `at`: when it was left. */
export type LastConversation = SessionReference & { firstMessage: string; at: number };

const longest = 200;

/** Keeps the way back to the conversation that is about to be left; one that is over or cannot be read is none. */
export function keepLast({ state, storage, clock }: ConversationCore): void {
  const { session, transcript, failure } = state;
  const { turns, status } = transcript.value;
  const text = turns.find(({ user }) => user)?.user?.text;
  if (!session.value || !text || failure.value || status === 'ended') return;
  const { sessionId, continuationToken } = session.value;
  const last: LastConversation = {
    sessionId,
    continuationToken,
    firstMessage: text.slice(0, longest).toWellFormed(),
    at: clock.now(),
  };
  storage.set('last', JSON.stringify(last));
}

export function readLast(storage: ConversationStorage): LastConversation | null {
  const last = storage.readObject('last');
  const isKnown =
    typeof last?.['sessionId'] === 'string' &&
    typeof last['continuationToken'] === 'string' &&
    typeof last['firstMessage'] === 'string' &&
    typeof last['at'] === 'number';
  return isKnown ? (last as LastConversation) : null;
}
