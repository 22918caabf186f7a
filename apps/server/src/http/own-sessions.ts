import { sessionPatterns } from '@parley/protocol/paths';
import { visitorPatterns } from '@parley/protocol/visitor-paths';
import { parseListQuery, parseToken, type SessionList } from '@parley/protocol/session';
import { Router } from 'express';
import type { VisitorSession } from '../store/store.ts';
import { smallBounds } from './body-bounds.ts';
import { readJsonBody } from './body.ts';
import { type Caller, admitCaller } from './caller.ts';
import { claimSession } from './claim-session.ts';
import { sessionOfBoth } from './own-session.ts';
import { parsedOrThrow } from './parse.ts';
import { sessionNotFound } from './refusal.ts';
import type { SessionRoutesDeps } from './sessions.ts';
import { visitorUnknown } from './visitor.ts';

const excerptLength = 200;

/** What identified visitors do with sessions as their own: claim one, and list them. */
export function ownSessionRoutes(deps: SessionRoutesDeps): Router {
  const { platform, store, tokens } = deps;
  const paths = { ...sessionPatterns(platform), ...visitorPatterns(platform) };
  const router = Router({ caseSensitive: true, strict: true });

  router.post(paths.identify, async (request, response) => {
    const caller = await admitCaller(deps, request, response);
    const visitor = identified(caller);
    const body = await readJsonBody(request, { bounds: smallBounds, contentType: 'any' });
    const { continuationToken: token } = parsedOrThrow(parseToken(body));
    const session = await sessionOfBoth(deps, { id: String(request.params['id']), token }, caller);
    if (!(await claimSession(deps, session, visitor))) throw sessionNotFound();
    response.json({ ok: true, sessionId: session.id, status: 'identified' });
  });

  router.get(paths.sessions, async (request, response) => {
    const caller = await admitCaller(deps, request, response);
    const visitor = identified(caller);
    const { searchParams } = new URL(request.url, 'http://localhost');
    const { cursor: after, limit } = parsedOrThrow(parseListQuery(searchParams));
    const page = await store.visitorSessions({ ...caller.owner, visitor, after, limit });
    response.json({ items: page.items.map(listed), next: page.next } satisfies SessionList);
  });

  return router;

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

/** A list is somebody's, whatever the key and whether or not the agent asks for tokens. */
function identified({ visitor }: Caller): string {
  if (visitor !== null) return visitor;
  throw visitorUnknown('VISITOR_TOKEN_REQUIRED', 'This needs a visitor token.');
}

function excerpt(text: string): string {
  return text.length <= excerptLength ? text : `${text.slice(0, excerptLength).toWellFormed()}…`;
}
