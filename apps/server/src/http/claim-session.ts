import type { Sessions } from '../session/sessions.ts';
import type { SessionRecord } from '../store/store.ts';
import type { OpenReaders } from './open-readers.ts';

/**
 * Makes a session that nobody is bound to the visitor's own, once they have shown the session's token: what they began
 * before they were known goes on as theirs. Streams that anybody else has opened with a publishable key end; their
 * readers come back as the visitor, or not at all. False when the session is another's.
 */
export async function claimSession(
  { sessions, readers }: { sessions: Sessions; readers: OpenReaders },
  session: SessionRecord,
  visitor: string,
): Promise<boolean> {
  const bound = session.visitor === visitor || (await sessions.bind(session.id, visitor));
  if (bound) readers.endOthers(session.id, visitor);
  return bound;
}
