import { visitorPatterns } from '@parley/protocol/visitor-paths';
import { parseFeedback } from '@parley/protocol/session';
import { Router } from 'express';
import { stateOf } from '../session/sessions.ts';
import type { SessionRecord } from '../store/store.ts';
import { feedbackBounds } from './body-bounds.ts';
import { readJsonBody } from './body.ts';
import { admitCaller, askerOf } from './caller.ts';
import { parsedOrThrow } from './parse.ts';
import { ProblemError } from './problem.ts';
import { sessionNotFound } from './refusal.ts';
import type { SessionRoutesDeps } from './sessions.ts';

/** What a visitor thought of a turn. To hold the session's id is enough, as it is for reading. */
export function feedbackRoutes(deps: SessionRoutesDeps): Router {
  const { platform, sessions, store } = deps;
  const router = Router({ caseSensitive: true, strict: true });

  router.post(visitorPatterns(platform).feedback, async (request, response) => {
    const caller = await admitCaller(deps, request, response);
    const body = await readJsonBody(request, { bounds: feedbackBounds, contentType: 'any' });
    const { turnId, rating, comment } = parsedOrThrow(parseFeedback(body));
    const session = await sessions.find(String(request.params['id']), askerOf(caller));
    if (!session) throw sessionNotFound();
    if (!hasTurn(session, turnId)) throw noSuchTurn();
    const kept = await store.rate(session.id, { turnId, rating, comment, at: Date.now() });
    if (!kept) throw sessionNotFound();
    response.json({ ok: true, sessionId: session.id, turnId });
  });
  return router;
}

function hasTurn(session: SessionRecord, turnId: string): boolean {
  const [, sequence] = /^turn_(0|[1-9]\d{0,8})$/.exec(turnId) ?? [];
  return sequence !== undefined && Number(sequence) < stateOf(session).nextTurn;
}

function noSuchTurn(): ProblemError {
  const message = "Expected 'turnId' to name a turn of this session.";
  return new ProblemError('BAD_REQUEST', message, { issues: [{ path: ['turnId'], message }] });
}
