import { controlPatterns } from '@parley/protocol/control-paths';
import type { ClientTool } from '@parley/protocol/client-tool';
import { sessionHealthPath, sessionPatterns } from '@parley/protocol/paths';
import { sessionHeaders } from '@parley/protocol/session-headers';
import {
  parseCancel,
  parseCreate,
  parseFollowUp,
  parseStreamQuery,
  parseToken,
} from '@parley/protocol/session';
import { type Request, type Response, Router } from 'express';
import { sessionCompleted } from '../session/new-event.ts';
import type { SessionTokens } from '../session/session-token.ts';
import { type Sessions, noExtras } from '../session/sessions.ts';
import { loadTools } from '../settings/tools.ts';
import type { SessionRecord } from '../store/store.ts';
import { openingAllowance, turnAllowance } from './allowance.ts';
import { readJsonBody } from './body.ts';
import { type Caller, type CallerDeps, admitCaller, admitSpeaker, askerOf } from './caller.ts';
import { claimSession } from './claim-session.ts';
import { bodyLimitWithFiles, enforceBodyLimit } from './body-limit.ts';
import { enforceFilePolicy } from './file-policy.ts';
import { repeatable } from './idempotency-header.ts';
import type { OpenStreams } from './open-streams.ts';
import { ProblemError } from './problem.ts';
import { sessionByToken } from './own-session.ts';
import { parsedOrThrow } from './parse.ts';
import { acceptRefusal, sessionGone, sessionNotFound } from './refusal.ts';
import type { SessionStreams } from './stream.ts';

export const smallBody = 64 * 1024;

export interface SessionRoutesDeps extends CallerDeps {
  readonly sessions: Sessions;
  readonly tokens: SessionTokens;
  readonly streams: SessionStreams;
  readonly openStreams: OpenStreams;
}

/** The Sessions interface: `sessions-protocol` sections 1 and 2. */
export function sessionRoutes(deps: SessionRoutesDeps): Router {
  const { platform, sessions, tokens, streams, openStreams } = deps;
  const paths = { ...sessionPatterns(platform), ...controlPatterns(platform) };
  const headers = sessionHeaders(platform);
  const router = Router({ caseSensitive: true, strict: true });

  router.get(sessionHealthPath(platform), (_request, response) => {
    response.json({ ok: true, status: 'ready', workflowId: `workflow//${platform}//turn` });
  });

  router.post(paths.sessions, async (request, response) => {
    const caller = await admitSpeaker(deps, request, response);
    const { agent, visitor } = caller;
    const body = await readJsonBody(request, { limit: bodyLimitWithFiles, contentType: 'any' });
    const parsed = parsedOrThrow(parseCreate(body));
    const { message, clientContext: context, outputSchema, clientTools, requestInput } = parsed;
    enforceBodyLimit(request, body, message.parts);
    enforceFilePolicy(message.parts, agent.settings.files);
    await refuseUnusableSchema(outputSchema);
    await refuseTakenNames(deps, agent.id, clientTools);
    const opening = { mayAsk: requestInput, visitor };
    const incoming = { ...noExtras, message, context, outputSchema, clientTools };
    const delivered = await sessions.open(caller.owner, opening, {
      incoming,
      admissions: [],
      ...openingAllowance(caller, incoming),
      repeatable: repeatable(request, speaker(caller), 'create', body),
    });
    if (delivered.outcome !== 'accepted' && delivered.outcome !== 'repeated')
      throw acceptRefusal(delivered, caller.key);
    const { sessionId } = delivered.outcome === 'accepted' ? delivered : delivered.answer;
    response.setHeader(headers.sessionId, sessionId);
    response.status(202).json({ continuationToken: tokens.of(sessionId), ok: true, sessionId });
  });

  router.post(paths.clear, control('clear'));
  router.post(paths.compact, control('compact'));

  router.post(paths.reset, async (request, response) => {
    const { session } = await sessionOfBody(request, response);
    const ended = session !== null && (await sessions.end(session.id, { events: [], status: 'reset' }));
    response.json(ended ? { ok: true, previousSessionId: session.id, status: 'reset' } : noActiveSession);
  });

  router.post(paths.session, async (request, response) => {
    const caller = await admitSpeaker(deps, request, response);
    const { agent, visitor } = caller;
    const body = await readJsonBody(request, { limit: bodyLimitWithFiles, contentType: 'any' });
    const parsed = parsedOrThrow(parseFollowUp(body));
    const {
      message,
      inputResponses: responses,
      clientContext: context,
      actionResults: results,
      outputSchema,
      clientTools,
      continuationToken,
    } = parsed;
    enforceBodyLimit(request, body, message?.parts ?? []);
    enforceFilePolicy(message?.parts ?? [], agent.settings.files);
    await refuseUnusableSchema(outputSchema);
    const session = await sessionByToken(deps, continuationToken, caller);
    if (!session || session.id !== request.params['id']) throw sessionGone();
    if (visitor !== null && !(await claimSession(deps, session, visitor))) throw sessionGone();
    await refuseTakenNames(deps, agent.id, clientTools);
    const incoming = { ...noExtras, message, responses, results, context, outputSchema, clientTools };
    const delivered = await sessions.deliver(session.id, {
      incoming,
      admissions: [],
      ...turnAllowance(caller, { session, sessionDigest: digest(session), incoming }),
      // The session is its visitor's, who may repeat what they have sent before they were known.
      repeatable: repeatable(request, caller.key.id, `follow-up ${session.id}`, body),
    });
    if (delivered.outcome !== 'accepted' && delivered.outcome !== 'repeated')
      throw acceptRefusal(delivered, caller.key);
    response.setHeader(headers.sessionId, session.id);
    response.json({ ok: true, sessionId: session.id });
  });

  router.post(paths.cancel, async (request, response) => {
    const caller = await admitCaller(deps, request, response);
    const body = await readJsonBody(request, { limit: smallBody, contentType: 'any', optional: true });
    const { turnId } = parsedOrThrow(parseCancel(body));
    const sessionId = String(request.params['id']);
    const session = await sessions.find(sessionId, askerOf(caller));
    const active = session?.status === 'open';
    if (active) sessions.cancel(sessionId, turnId === null ? {} : { turnId });
    response.setHeader(headers.sessionId, sessionId.replaceAll(/[^\w-]/g, ''));
    response.status(202).json({ ok: true, sessionId, status: active ? 'accepted' : 'no_active_turn' });
  });

  router.post(paths.end, async (request, response) => {
    const { session } = await sessionOfBody(request, response);
    if (!session || session.id !== request.params['id']) throw sessionGone();
    const ended = await sessions.end(session.id, { events: [sessionCompleted()], status: 'completed' });
    if (!ended) throw sessionGone();
    response.json({ ok: true, sessionId: session.id, status: 'completed' });
  });

  router.get(paths.stream, async (request, response) => {
    const caller = await admitCaller(deps, request, response);
    const { key, visitor } = caller;
    const session = await sessions.find(String(request.params['id']), askerOf(caller));
    if (!session) throw sessionNotFound();
    const query = parsedOrThrow(parseStreamQuery(new URL(request.url, 'http://localhost').searchParams));
    openStreams.admit(response, caller, session.id);
    streams.open(response, { session, key, visitor, query });
  });

  return router;

  function control(kind: 'clear' | 'compact') {
    return async (request: Request, response: Response): Promise<void> => {
      const { caller, session } = await sessionOfBody(request, response);
      if (!session) return void response.json(noActiveSession);
      const accepted = await sessions.control(session.id, kind, allowance(caller, session, kind));
      if (accepted.outcome === 'full' || accepted.outcome === 'limited')
        throw acceptRefusal(accepted, caller.key);
      if (accepted.outcome !== 'accepted') return void response.json(noActiveSession);
      response.setHeader(headers.sessionId, session.id);
      response.status(202).json({ ok: true, sessionId: session.id, status: 'accepted' });
    };
  }

  /** Counters outlive a session that is deleted, and its id must not. */
  function digest({ id }: SessionRecord): string {
    return deps.secrets.mac('limit', id).slice(0, 22);
  }

  /** A control is a turn like any other; a compaction calls the model, too. */
  function allowance(caller: Caller, session: SessionRecord, kind: 'clear' | 'compact') {
    const turn = { session, sessionDigest: digest(session), incoming: null };
    const { quotas, reservation } = turnAllowance(caller, turn);
    return kind === 'compact' ? { quotas, reservation } : { quotas };
  }

  async function sessionOfBody(
    request: Request,
    response: Response,
  ): Promise<{ caller: Caller; session: SessionRecord | null }> {
    const caller = await admitCaller(deps, request, response);
    const body = await readJsonBody(request, { limit: smallBody, contentType: 'any' });
    const { continuationToken } = parsedOrThrow(parseToken(body));
    return { caller, session: await sessionByToken(deps, continuationToken, caller) };
  }
}

const noActiveSession = { ok: true, status: 'no_active_session' };

/** A function of the page cannot stand in for a tool of the agent. */
async function refuseTakenNames(
  { store, secrets }: SessionRoutesDeps,
  agentId: string,
  clientTools: readonly ClientTool[] | null,
): Promise<void> {
  if (clientTools === null || clientTools.length === 0) return;
  const taken = new Set((await loadTools(store, secrets, agentId)).map(({ name }) => name));
  const index = clientTools.findIndex(({ name }) => taken.has(name));
  if (index < 0) return;
  const message = `The agent has a tool named ${clientTools[index]?.name}.`;
  throw new ProblemError('BAD_REQUEST', message, {
    issues: [{ path: ['clientTools', index, 'name'], message }],
  });
}

/** Whose repeats are told the first answer: a visitor's are nobody else's. */
function speaker({ key, visitor }: Caller): string {
  return visitor === null ? key.id : JSON.stringify([key.id, visitor]);
}

/** A schema that cannot be checked would fail the turn; the caller learns it before anything runs. */
async function refuseUnusableSchema(outputSchema: Record<string, unknown> | null): Promise<void> {
  if (outputSchema === null) return;
  const { schemaProblem } = await import('../tool/arguments-schema.ts');
  const wrong = schemaProblem(outputSchema);
  if (wrong === undefined) return;
  const message = `Expected 'outputSchema' to be a JSON Schema that can be checked: ${wrong}.`;
  throw new ProblemError('BAD_REQUEST', message, { issues: [{ path: ['outputSchema'], message }] });
}
