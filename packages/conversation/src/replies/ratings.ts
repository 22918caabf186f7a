import { rateTurn } from '@parley/client/rate-turn';
import type { ConversationCore } from '../conversation-core.ts';

export type Rating = 'up' | 'down' | null;

/** What this browser remembers of a turn's rating: the log does not tell it. */
export const ratingOf = (
  { state, storage }: Pick<ConversationCore, 'state' | 'storage'>,
  turnId: string,
): Rating => {
  const session = state.session.value;
  const ratings = session && storage.readObject('ratings');
  return (ratings?.[`${session?.sessionId} ${turnId}`] as Rating | undefined) ?? null;
};

/** Rejects when the service was not told. */
export async function rate(
  { state, storage, connection }: Pick<ConversationCore, 'state' | 'storage' | 'connection'>,
  turnId: string,
  rating: Rating,
  comment = '',
): Promise<void> {
  const session = state.session.value;
  if (!session) return;
  const { sessionId } = session;
  const body = rating ? { turnId, rating, ...(comment && { comment }) } : { turnId, rating };
  await rateTurn(connection, sessionId, body);
  // Nothing of a conversation is noted again once it has been left.
  if (state.session.value?.sessionId !== sessionId) return;
  const { [`${sessionId} ${turnId}`]: _before, ...others } = storage.readObject('ratings') ?? {};
  const ratings = rating ? { ...others, [`${sessionId} ${turnId}`]: rating } : others;
  storage.set('ratings', Object.keys(ratings).length > 0 ? JSON.stringify(ratings) : '');
}
