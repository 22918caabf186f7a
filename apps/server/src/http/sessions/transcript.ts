import { sessionAccess } from '../../auth/session-access.ts';
import type { Handler, Handlers } from '../handlers.ts';
import { sessionOfBoth } from './find-session.ts';
import { sessionNotFound } from '../rejection-problem.ts';
import { sendTranscript } from './send-transcript.ts';
import type { SessionHandlersDeps } from './sessions.ts';

/** The visitor's rights: take the conversation along, and have it deleted. */
export function transcriptHandlers(deps: SessionHandlersDeps): Handlers<'readTranscript' | 'deleteSession'> {
  const { sessions, streams, openStreams } = deps;

  const readTranscript: Handler<'readTranscript'> = async ({
    request: { method },
    response,
    principal,
    id,
    query: { format },
  }) => {
    const session = await sessions.find(id, sessionAccess(principal));
    if (!session) throw sessionNotFound();
    openStreams.admit(response, principal, session.id);
    const audience = principal.kind === 'secret-key' ? 'full' : 'status';
    const { name: agentName } = principal.agent;
    await sendTranscript(deps, response, { session, agentName, format, audience, method });
  };

  const deleteSession: Handler<'deleteSession'> = async ({ response, principal, id, body }) => {
    const session = await sessionOfBoth(deps, { id, token: body.continuationToken }, principal);
    const removed = await sessions.remove(session.id);
    streams.endSession(session.id);
    if (!removed) throw sessionNotFound();
    response.json({ ok: true, sessionId: session.id, status: 'deleted' });
  };

  return { readTranscript, deleteSession };
}
