import { controlPatterns } from '@parley/protocol/control-paths';
import type { ClientTool } from '@parley/protocol/client-tool';
import type { Limits } from '@parley/protocol/settings/limits';
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
import { type Sessions, noExtras, stateOf } from '../session/sessions.ts';
import { loadTools } from '../settings/tools.ts';
import type { Quota, SessionRecord } from '../store/store.ts';
import type { Secrets } from '../secret/secrets.ts';
import { tokenQuota } from '../session/token-quota.ts';
import { addressBucket } from './address.ts';
import { sessionBounds, smallBounds } from './body-bounds.ts';
import { readJsonBody } from './body.ts';
import { type Caller, type CallerDeps, admitCaller, admitSpeaker, askerOf, refuseExpired } from './caller.ts';
import { claimSession } from './claim-session.ts';
import { fileContext } from './file-context.ts';
import { enforceFilePolicy } from './file-policy.ts';
import { idempotencyKey, repeatable } from './idempotency-header.ts';
import type { OpenReaders } from './open-readers.ts';
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
}

/** The Sessions interface: `sessions-protocol` sections 1 and 2. */
export function sessionRoutes(deps: SessionRoutesDeps): Router {
  const { platform, sessions, tokens, streams } = deps;
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
    const delivered = await sessions.open(caller.owner, opening, {
      incoming: { ...noExtras, message, context, outputSchema, clientTools, visitor },
      admissions: [],
      quotas: openQuotas(deps.secrets, request, caller),
      files: fileContext(deps.secrets, request, caller),
      repeatable: await repeatable(request, speakerOf(deps.secrets, request, caller), 'create', {
        said: body,
        parts: parsed.message.parts,
      }),
    });
    if (delivered.outcome !== 'accepted' && delivered.outcome !== 'repeated') throw acceptRefusal(delivered);
    const { sessionId } = delivered.outcome === 'accepted' ? delivered : delivered.answer;
    response.setHeader(headers.sessionId, sessionId);
    response.status(202).json({ continuationToken: tokens.of(sessionId), ok: true, sessionId });
  });

  router.post(paths.clear, control('clear'));
  router.post(paths.compact, control('compact'));

  router.post(paths.reset, async (request, response) => {
    const session = await sessionOfBody(request, response);
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
    } = parsed;
    const message = parsed.message && (await resolveMessage(deps, caller, parsed.message));
    await refuseUnusableSchema(caller, outputSchema);
    const session = await sessionByToken(deps, continuationToken, caller);
    if (!session || session.id !== request.params['id']) throw sessionGone();
    if (visitor !== null && !(await claimSession(deps, session, visitor))) throw sessionGone();
    await refuseTakenNames(deps, agent.id, clientTools);
    enforceTurnQuota(session, agent.settings.limits);
    const delivered = await sessions.deliver(session.id, {
      incoming: {
        ...noExtras,
        message,
        responses,
        results,
        context,
        outputSchema,
        clientTools,
        visitor: visitor ?? session.visitor,
      },
      admissions: [],
      quotas: [tokenQuota(agent)],
      files: fileContext(deps.secrets, request, caller),
      // The session is its visitor's, who may repeat what they have sent before they were known.
      repeatable: await repeatable(request, caller.key.id, `follow-up ${session.id}`, {
        said: body,
        parts: parsed.message?.parts ?? [],
      }),
    });
    if (delivered.outcome !== 'accepted' && delivered.outcome !== 'repeated') throw acceptRefusal(delivered);
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
    const session = await sessionOfBody(request, response);
    if (!session || session.id !== request.params['id']) throw sessionGone();
    const ended = await sessions.end(session.id, { events: [sessionCompleted()], status: 'completed' });
    if (!ended) throw sessionGone();
    response.json({ ok: true, sessionId: session.id, status: 'completed' });
  });

  router.get(paths.stream, async (request, response) => {
    const caller = await admitCaller(deps, request, response);
    refuseExpired(caller);
    const { key, agent, visitor, visitorUntil } = caller;
    const session = await sessions.find(String(request.params['id']), askerOf(caller));
    if (!session) throw sessionNotFound();
    const query = parsedOrThrow(parseStreamQuery(new URL(request.url, 'http://localhost').searchParams));
    const limit = agent.settings.limits.streamsPerSession;
    streams.open(response, { session, key, visitor, visitorUntil, query, limit });
  });

  return router;

  function control(kind: 'clear' | 'compact') {
    return async (request: Request, response: Response): Promise<void> => {
      const session = await sessionOfBody(request, response);
      const outcome = session ? await sessions.control(session.id, kind) : 'missing';
      if (outcome === 'full') throw acceptRefusal({ outcome });
      if (!session || outcome !== 'accepted') return void response.json(noActiveSession);
      response.setHeader(headers.sessionId, session.id);
      response.status(202).json({ ok: true, sessionId: session.id, status: 'accepted' });
    };
  }

  async function sessionOfBody(request: Request, response: Response): Promise<SessionRecord | null> {
    const caller = await admitCaller(deps, request, response);
    const body = await readJsonBody(request, { bounds: smallBounds, contentType: 'any' });
    return sessionByToken(deps, parsedOrThrow(parseToken(body)).continuationToken, caller);
  }
}

const noActiveSession = { ok: true, status: 'no_active_session' };

/** The message with what its uploaded files are, which the agent's policy is about like all others. */
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

function openQuotas(secrets: Secrets, request: Request, { key, agent }: Caller): Quota[] {
  const { sessionsPerMinute, sessionsPerAddressPerMinute } = agent.settings.limits;
  const perMinute = { windowMs: 60_000, amount: 1 };
  const address = addressBucket(secrets, request.ip ?? '', Date.now());
  return [
    { ...perMinute, scope: `sessions:${key.id}`, limit: sessionsPerMinute },
    { ...perMinute, scope: `sessions:${agent.id}:${address}`, limit: sessionsPerAddressPerMinute },
    tokenQuota(agent),
  ];
}

function enforceTurnQuota(session: SessionRecord, { turnsPerSession }: Limits): void {
  if (stateOf(session).nextTurn < turnsPerSession) return;
  throw new ProblemError(
    'QUOTA_EXCEEDED',
    'This conversation has reached its length. Please start a new one.',
  );
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
