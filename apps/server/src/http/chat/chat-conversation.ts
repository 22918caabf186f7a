import type { Sessions } from '../../session/sessions.ts';
import type { SessionRecord } from '../../store/session-store.ts';
import type { Store } from '../../store/store.ts';
import type { KeyPrincipal } from '../../auth/principal.ts';
import type { Handlers } from '../handlers.ts';
import type { OpenStreams } from '../connection/open-streams.ts';
import { ProblemError } from '../problem.ts';
import { sendTranscript } from '../sessions/send-transcript.ts';
import { conversationScope } from './conversation-scope.ts';

interface ConversationHandlersDeps {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly openStreams: OpenStreams;
  readonly fileUrl: (id: string) => string;
}

/** What the tenant's servers do with their Chat conversations besides speaking: read them, and have them deleted. */
export function chatConversationHandlers(
  deps: ConversationHandlersDeps,
): Handlers<'readChat' | 'deleteChat'> {
  const { store, sessions, openStreams } = deps;
  const find = async (principal: KeyPrincipal, id: string): Promise<SessionRecord> => {
    const session = await store.findConversation(principal.agent.id, conversationScope(principal), id);
    if (!session)
      throw new ProblemError('NOT_FOUND', 'The secret keys of this agent have no conversation of this id.');
    return session;
  };
  return {
    async readChat({ request: { method }, response, principal, id, query: { format } }) {
      const session = await find(principal, id);
      openStreams.admit(response, principal, session.id);
      const { name: agentName } = principal.agent;
      await sendTranscript(deps, response, { session, agentName, format, audience: 'full', method });
    },

    async deleteChat({ response, principal, id }) {
      const session = await find(principal, id);
      await sessions.remove(session.id);
      response.json({ ok: true, id, status: 'deleted' });
    },
  };
}
