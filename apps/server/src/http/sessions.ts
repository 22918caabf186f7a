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
import { flatText, type UserMessage } from '@parley/protocol/user-message';
import { type Request, type Response, Router } from 'express';
import type { ResolvedMessage } from '../session/message-files.ts';
import { sessionCompleted } from '../session/new-event.ts';
import type { SessionTokens } from '../session/session-token.ts';
import { type Sessions, noExtras } from '../session/sessions.ts';
import { loadTools } from '../settings/tools.ts';
import type { SessionRecord } from '../store/store.ts';
import { openingAllowance, turnAllowance } from './allowance.ts';
import { sessionBounds, smallBounds } from './body-bounds.ts';
import { readJsonBody } from './body.ts';
import { type Caller, type CallerDeps, admitCaller, admitSpeaker, askerOf, refuseExpired } from './caller.ts';
import { claimSession } from './claim-session.ts';
import { fileContext } from './file-context.ts';
import { enforceFilePolicy } from './file-policy.ts';
import { idempotencyKey, repeatable } from './idempotency-header.ts';
import type { OpenReaders } from './open-readers.ts';
import type { OpenStreams } from './open-streams.ts';
import { ProblemError } from './problem.ts';
import { sessionByToken } from './own-session.ts';
import { parsedOrThrow } from './parse.ts';
import { resolveFiles } from './resolve-files.ts';
import { acceptRefusal, sessionGone, sessionNotFound } from './refusal.ts';
import { speakerOf } from './speaker.ts';
import type { SessionStreams } from './stream.ts';

export interface SessionRoutesDeps extends CallerDeps {
  readonly sessions: Sessions;
  readonly tokens: SessionTokens;
  readonly streams: SessionStreams;
  readonly readers: OpenReaders;
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
    idempotencyKey(request);
    const body = await readJsonBody(request, { bounds: sessionBounds, contentType: 'any' });
    const parsed = parsedOrThrow(parseCreate(body));
    const { clientContext: context, outputSchema, clientTools, requestInput } = parsed;
    const message = await resolveMessage(deps, caller, parsed.message);
    await refuseUnusableSchema(caller, outputSchema);
    await refuseTakenNames(deps, agent.id, clientTools);
    const opening = { mayAsk: requestInput, visitor };
    const incoming = { ...noExtras, message, context, outputSchema, clientTools, visitor };
    const delivered = await sessions.open(caller.owner, opening, {
      incoming,
      admissions: [],
      ...openingAllowance(caller, incoming),
      files: fileContext(caller),
      repeatable: await repeatable(request, speakerOf(deps.secrets, request, caller), 'create', {
        json: body,
        parts: parsed.message.parts,
      }),
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
    idempotencyKey(request);
    const body = await readJsonBody(request, { bounds: sessionBounds, contentType: 'any' });
    const parsed = parsedOrThrow(parseFollowUp(body));
    const {
      inputResponses: responses,
      clientContext: context,
      actionResults: results,
      outputSchema,
      clientTools,
      continuationToken,
      shownIndex,
    } = parsed;
    const message = parsed.message && (await resolveMessage(deps, caller, parsed.message));
    await refuseUnusableSchema(caller, outputSchema);
    const session = await sessionByToken(deps, continuationToken, caller);
    if (!session || session.id !== request.params['id']) throw sessionGone();
    if (visitor !== null && !(await claimSession(deps, session, visitor))) throw sessionGone();
    await refuseTakenNames(deps, agent.id, clientTools);
    const incoming = {
      ...noExtras,
      message,
      responses,
      results,
      context,
      outputSchema,
      clientTools,
      visitor: visitor ?? session.visitor,
      ...(shownIndex !== null && { shownIndex }),
    };
    const delivered = await sessions.deliver(session.id, askerOf(caller), {
      incoming,
      admissions: [],
      ...turnAllowance(caller, { session, sessionDigest: digest(session), incoming }),
      files: fileContext(caller),
      // The session is its visitor's, who may repeat what they have sent before they were known.
      repeatable: await repeatable(request, caller.key.id, `follow-up ${session.id}`, {
        json: body,
        parts: parsed.message?.parts ?? [],
      }),
    });
    if (delivered.outcome !== 'accepted' && delivered.outcome !== 'repeated')
      throw acceptRefusal(delivered, caller.key);
    response.setHeader(headers.sessionId, session.id);
    response.json({ ok: true, sessionId: session.id });
  });

  router.post(paths.cancel, async (request, response) => {
    const caller = await admitCaller(deps, request, response);
    const body = await readJsonBody(request, { bounds: smallBounds, contentType: 'any', optional: true });
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
    refuseExpired(caller);
    const { key, visitor, visitorUntil } = caller;
    const session = await sessions.find(String(request.params['id']), askerOf(caller));
    if (!session) throw sessionNotFound();
    const query = parsedOrThrow(parseStreamQuery(new URL(request.url, 'http://localhost').searchParams));
    openStreams.admit(response, caller, session.id);
    streams.open(response, { session, key, visitor, visitorUntil, query });
  });

  return router;

  function control(kind: 'clear' | 'compact') {
    return async (request: Request, response: Response): Promise<void> => {
      const { caller, session } = await sessionOfBody(request, response);
      if (!session) return void response.json(noActiveSession);
      const accepted = await sessions.control(
        session.id,
        askerOf(caller),
        kind,
        allowance(caller, session, kind),
      );
      if (accepted.outcome === 'full' || accepted.outcome === 'limited')
        throw acceptRefusal(accepted, caller.key);
      if (accepted.outcome !== 'accepted') return void response.json(noActiveSession);
      response.setHeader(headers.sessionId, session.id);
      response.status(202).json({ ok: true, sessionId: session.id, status: 'accepted' });
    };
  }

  /** How counters name the session: they outlive one that is deleted, and its id must not. */
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
    const body = await readJsonBody(request, { bounds: smallBounds, contentType: 'any' });
    const { continuationToken } = parsedOrThrow(parseToken(body));
    return { caller, session: await sessionByToken(deps, continuationToken, caller) };
  }
}

const noActiveSession = { ok: true, status: 'no_active_session' };

/** The message with its uploaded files resolved. Throws the 413 or 415 of the agent's file policy for any of its files. */
async function resolveMessage(
  { store }: SessionRoutesDeps,
  caller: Caller,
  message: UserMessage,
): Promise<ResolvedMessage> {
  const parts = await resolveFiles(store, caller, message.parts);
  enforceFilePolicy(parts, caller.agent.settings.files);
  return { parts, text: flatText(parts) };
}

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

/** A schema is work for the service: a visitor may bring one only where the agent allows it. */
async function refuseUnusableSchema(
  { key, agent }: Caller,
  outputSchema: Record<string, unknown> | null,
): Promise<void> {
  if (outputSchema === null) return;
  if (key.kind === 'publishable' && !agent.settings.outputSchemaForVisitors)
    throw new ProblemError(
      'FORBIDDEN',
      "This agent takes an 'outputSchema' from secret keys only. Turn on its setting outputSchemaForVisitors.",
    );
  const { schemaProblem } = await import('../tool/arguments-schema.ts');
  const wrong = schemaProblem(outputSchema);
  if (wrong === undefined) return;
  const message = `Expected 'outputSchema' to be a JSON Schema that can be checked: ${wrong}.`;
  throw new ProblemError('BAD_REQUEST', message, { issues: [{ path: ['outputSchema'], message }] });
}
