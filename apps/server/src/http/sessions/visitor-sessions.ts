import type { SessionList } from '@parley/protocol/session-responses';
import type { VisitorSession } from '../../store/visitor-store.ts';
import type { Handlers } from '../handlers.ts';
import { sessionNotFound } from '../rejection-problem.ts';
import { sessionOfBoth } from './find-session.ts';
import { noteVisitor } from './note-visitor.ts';
import type { SessionHandlersDeps } from './sessions.ts';

const excerptLength = 200;

/** What identified visitors do with sessions as their own: take one over, and list them. */
export function visitorSessionHandlers(
  deps: SessionHandlersDeps,
): Handlers<'identifySession' | 'listSessions'> {
  const { store, sessions, tokens } = deps;
  return {
    async identifySession({ response, principal, id, body }) {
      const session = await sessionOfBoth(deps, { id, token: body.continuationToken }, principal);
      if (!(await sessions.assignToVisitor(session, principal.visitor))) throw sessionNotFound();
      await noteVisitor(deps, principal);
      response.json({ ok: true, sessionId: session.id, status: 'identified' });
    },

    async listSessions({ response, principal: { owner, visitor }, query: { cursor: after, limit } }) {
      const page = await store.listVisitorSessions({ ...owner, visitor, after, limit });
      response.json({ items: page.items.map(listed), next: page.next } satisfies SessionList);
    },
  };

  function listed({ id, status, createdAt, activeAt, firstMessage }: VisitorSession) {
    if (status === 'reset') throw new Error('A session that was reset is in no list.');
    return {
      id,
      continuationToken: tokens.of(id),
      status,
      createdAt: new Date(createdAt).toISOString(),
      activeAt: new Date(activeAt).toISOString(),
      firstMessage: firstMessage === null ? null : excerpt(firstMessage),
    };
  }
}

function excerpt(text: string): string {
  return text.length <= excerptLength ? text : `${text.slice(0, excerptLength).toWellFormed()}…`;
}
