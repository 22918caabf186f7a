import type { Sessions } from '../session/sessions.ts';
import type { SessionRecord } from '../store/store.ts';
import type { SessionStreams } from './stream.ts';

/**
 * Makes a session that nobody is bound to the visitor's own, once they have shown the session's token: what they began
 * before they were known goes on as theirs. Streams that were opened anonymously end; their readers come back with a
 * visitor token, or not at all. False when the session is another's.
 */
export async function claimSession(
  { sessions, streams }: { sessions: Sessions; streams: SessionStreams },
  session: SessionRecord,
  visitor: string,
): Promise<boolean> {
  if (session.visitor === visitor) return true;
  const bound = await sessions.bind(session.id, visitor);
  if (bound) streams.endAnonymous(session.id);
  return bound;
}
