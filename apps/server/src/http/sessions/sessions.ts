import type { ClientTool } from '@parley/protocol/client-tool';
import { sessionHeaders } from '@parley/protocol/session-headers';
import { flatText, type UserMessage } from '@parley/protocol/user-message';
import type { ResolvedMessage } from '../../session/message-files.ts';
import type { Contacts } from '../../contact/contacts.ts';
import { sessionCompleted } from '../../events/new-event.ts';
import type { SessionTokens } from '../../session/session-token.ts';
import type { Sessions } from '../../session/sessions.ts';
import { emptyInput } from '../../session/message-input.ts';
import { isTask } from '../../session/state/is-task.ts';
import { isHeld } from '../../session/state/is-held.ts';
import type { SessionRecord } from '../../store/session-store.ts';
import type { Store } from '../../store/store.ts';
import { openingAllowance, turnAllowance } from '../../limit/allowance.ts';
import { releaseFiles } from '../body/file-budget.ts';
import { agentInactive, type KeyAuthDeps } from '../../auth/authenticate-key.ts';
import type { KeyPrincipal } from '../../auth/principal.ts';
import { sessionAccess } from '../../auth/session-access.ts';
import type { Handler, Handlers } from '../handlers.ts';
import { fileContext } from '../files/file-context.ts';
import { enforceFilePolicy } from '../files/file-policy.ts';
import { repeatable } from '../repeatable.ts';
import type { OpenReaders } from '../connection/open-readers.ts';
import type { OpenStreams } from '../connection/open-streams.ts';
import { ProblemError } from '../problem.ts';
import { requestOrigin } from '../request-caller.ts';
import { findSession } from './find-session.ts';
import { noteVisitor } from './note-visitor.ts';
import { resolveFiles } from '../files/resolve-files.ts';
import { rejectionProblem, sessionGone, sessionNotFound } from '../rejection-problem.ts';
import { callerId } from '../../auth/caller-id.ts';
import type { SessionStreams } from './session-streams.ts';
import { admitTurnStream, openTurnStream } from './turn-stream.ts';

export interface SessionHandlersDeps extends KeyAuthDeps {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly contacts: Pick<Contacts, 'seen'>;
  readonly tokens: SessionTokens;
  readonly streams: SessionStreams;
  readonly readers: OpenReaders;
  readonly openStreams: OpenStreams;
  /** Where a stored file is served. */
  readonly fileUrl: (id: string) => string;
}

type SessionRouteName =
  | 'sessionsHealth'
  | 'createSession'
  | 'continueSession'
  | 'clearSession'
  | 'compactSession'
  | 'resetSession'
  | 'cancelTurn'
  | 'endSession'
  | 'streamSession';

/** The Sessions interface: `sessions-protocol` sections 1 and 2. */
export function sessionHandlers(deps: SessionHandlersDeps): Handlers<SessionRouteName> {
  const { platform, sessions, tokens, streams, openStreams } = deps;
  const headers = sessionHeaders(platform);

  const sessionsHealth: Handler<'sessionsHealth'> = ({ response }) => {
    response.json({ ok: true, status: 'ready', workflowId: `workflow//${platform}//turn` });
  };

  const createSession: Handler<'createSession'> = async ({
    request,
    response,
    principal,
    query,
    body: parsed,
    sentBody,
  }) => {
    const { agent, visitor } = principal;
    const { clientContext: context, outputSchema, clientTools, requestInput, mode } = parsed;
    const message = await resolveMessage(deps, principal, parsed.message, parsed.clientMessageId);
    await rejectUnusableSchema(principal, outputSchema);
    await rejectTakenNames(deps, agent.id, clientTools);
    const opening = { canRequestInput: requestInput, mode, visitor };
    const input = {
      ...emptyInput,
      message,
      context,
      outputSchema,
      clientTools,
      visitor,
      origin: requestOrigin(response),
    };
    const isStream = admitTurnStream(deps, request, response, { principal, sessionId: null });
    await noteVisitor(deps, principal, context);
    const sent = await sessions.open(principal.owner, opening, {
      input,
      rateLimits: [],
      ...openingAllowance(principal, input),
      files: fileContext(principal),
      repeatable: await repeatable(request, callerId(deps.secrets, request, principal), 'create', {
        json: sentBody,
        parts: parsed.message.parts,
      }),
    });
    if (sent.outcome !== 'accepted' && sent.outcome !== 'repeated')
      throw rejectionProblem(sent, principal.key);
    const { sessionId } = sent.outcome === 'accepted' ? sent : sent.accepted;
    if (isStream) {
      const session =
        sent.outcome === 'accepted'
          ? { id: sessionId, nextIndex: 0, status: 'open' as const }
          : await sessions.find(sessionId, sessionAccess(principal));
      if (!session) throw sessionNotFound();
      openStreams.admitSession(response, principal, sessionId);
      releaseFiles(request);
      response.status(202).setHeader(headers.continuationToken, tokens.of(sessionId));
      return openTurnStream(deps, response, principal, { session, first: 0, query });
    }
    response.setHeader(headers.sessionId, sessionId);
    response.status(202).json({ continuationToken: tokens.of(sessionId), ok: true, sessionId });
  };

  const resetSession: Handler<'resetSession'> = async ({ response, principal, body }) => {
    const session = await findSession(deps, body.continuationToken, principal);
    const ended = session && (await sessions.end(session.id, { events: [], status: 'reset' }));
    if (!session || ended === 'not-open') return void response.json(noActiveSession);
    if (ended === 'busy') throw busy();
    const status = ended === 'ended' ? 'reset' : 'accepted';
    response.status(ended === 'ended' ? 200 : 202).json({ ok: true, previousSessionId: session.id, status });
  };

  const continueSession: Handler<'continueSession'> = async ({
    request,
    response,
    principal,
    id,
    query,
    body: parsed,
    sentBody,
  }) => {
    const { agent, visitor } = principal;
    const {
      inputResponses: responses,
      clientContext: context,
      actionResults: results,
      outputSchema,
      clientTools,
      continuationToken,
      shownIndex,
    } = parsed;
    const session = await findSession(deps, continuationToken, principal);
    if (!agent.active && !isHeld(session)) throw agentInactive(agent);
    const message =
      parsed.message && (await resolveMessage(deps, principal, parsed.message, parsed.clientMessageId));
    await rejectUnusableSchema(principal, outputSchema);
    // The one turn of a task is all there is to it: nothing is queued behind it.
    if (!session || session.id !== id || isTask(session)) throw sessionGone();
    if (visitor !== null && !(await sessions.assignToVisitor(session, visitor))) throw sessionGone();
    await rejectTakenNames(deps, agent.id, clientTools);
    const input = {
      ...emptyInput,
      message,
      responses,
      results,
      context,
      outputSchema,
      clientTools,
      visitor: visitor ?? session.visitor,
      origin: requestOrigin(response),
      ...(shownIndex !== null && { shownIndex }),
    };
    const isStream = admitTurnStream(deps, request, response, { principal, sessionId: session.id });
    await noteVisitor(deps, principal);
    const sent = await sessions.send(session, sessionAccess(principal), {
      input,
      rateLimits: [],
      ...turnAllowance(principal, { session, sessionDigest: digest(session), input }),
      files: fileContext(principal),
      // The session is its visitor's, who may repeat what they have sent before they were known.
      repeatable: await repeatable(request, principal.key.id, `follow-up ${session.id}`, {
        json: sentBody,
        parts: parsed.message?.parts ?? [],
      }),
    });
    if (sent.outcome !== 'accepted' && sent.outcome !== 'repeated')
      throw rejectionProblem(sent, principal.key);
    if (isStream) {
      const isNew = sent.outcome === 'accepted';
      const first = isNew ? sent.nextIndex : (sent.accepted.nextIndex ?? session.nextIndex);
      const known = isNew ? { ...session, nextIndex: first } : session;
      releaseFiles(request);
      return openTurnStream(deps, response, principal, { session: known, first, query });
    }
    response.setHeader(headers.sessionId, session.id);
    response.json({ ok: true, sessionId: session.id });
  };

  const cancelTurn: Handler<'cancelTurn'> = async ({ response, principal, id: sessionId, body }) => {
    const { turnId } = body;
    const session = await sessions.find(sessionId, sessionAccess(principal));
    const named = turnId === null ? {} : { turnId };
    const cancelled = session?.status === 'open' ? await sessions.cancel(sessionId, named) : 'no-active-turn';
    if (cancelled === 'busy') throw busy();
    response.setHeader(headers.sessionId, sessionId.replaceAll(/[^\w-]/g, ''));
    response
      .status(202)
      .json({ ok: true, sessionId, status: cancelled === 'accepted' ? 'accepted' : 'no_active_turn' });
  };

  const endSession: Handler<'endSession'> = async ({ response, principal, id, body }) => {
    const session = await findSession(deps, body.continuationToken, principal);
    if (!session || session.id !== id) throw sessionGone();
    const ended = await sessions.end(session.id, { events: [sessionCompleted()], status: 'completed' });
    if (ended === 'not-open') throw sessionGone();
    if (ended === 'busy') throw busy();
    const status = ended === 'ended' ? 'completed' : 'accepted';
    response.status(ended === 'ended' ? 200 : 202).json({ ok: true, sessionId: session.id, status });
  };

  const streamSession: Handler<'streamSession'> = async ({ response, principal, id, query }) => {
    const { key, visitor, visitorUntil } = principal;
    const session = await sessions.find(id, sessionAccess(principal));
    if (!session) throw sessionNotFound();
    openStreams.admit(response, principal, session.id);
    streams.open(response, { session, key, visitor, visitorUntil, query });
  };

  return {
    sessionsHealth,
    createSession,
    continueSession,
    clearSession: control('clear'),
    compactSession: control('compact'),
    resetSession,
    cancelTurn,
    endSession,
    streamSession,
  };

  function control(kind: 'clear' | 'compact'): Handler<'clearSession'> & Handler<'compactSession'> {
    return async ({ response, principal, body }) => {
      const session = await findSession(deps, body.continuationToken, principal);
      if (!session || isTask(session)) return void response.json(noActiveSession);
      const accepted = await sessions.control(
        session.id,
        sessionAccess(principal),
        kind,
        allowance(principal, session, kind),
      );
      if (accepted.outcome === 'full' || accepted.outcome === 'limited')
        throw rejectionProblem(accepted, principal.key);
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
  function allowance(principal: KeyPrincipal, session: SessionRecord, kind: 'clear' | 'compact') {
    const turn = { session, sessionDigest: digest(session), input: null };
    const { quotas, reservation } = turnAllowance(principal, turn);
    return kind === 'compact' ? { quotas, reservation } : { quotas };
  }
}

/** As many commands as a session may have wait for whoever holds it. */
function busy(): ProblemError {
  return new ProblemError('UNAVAILABLE', 'The conversation is busy. Try again in a moment.', {
    retryAfter: 1,
  });
}

const noActiveSession = { ok: true, status: 'no_active_session' };

/** The message with its uploaded files resolved. Throws the 413 or 415 of the agent's file policy for any of its files. */
async function resolveMessage(
  { store }: SessionHandlersDeps,
  principal: KeyPrincipal,
  message: UserMessage,
  clientMessageId: string | null,
): Promise<ResolvedMessage> {
  const parts = await resolveFiles(store, principal, message.parts);
  enforceFilePolicy(parts, principal.agent.settings.files);
  return { parts, text: flatText(parts), ...(clientMessageId !== null && { clientMessageId }) };
}

/** A function of the page cannot stand in for a tool of the agent. */
async function rejectTakenNames(
  { settings }: SessionHandlersDeps,
  agentId: string,
  clientTools: readonly ClientTool[] | null,
): Promise<void> {
  if (clientTools === null || clientTools.length === 0) return;
  const taken = new Set((await settings.tools(agentId)).map(({ name }) => name));
  const index = clientTools.findIndex(({ name }) => taken.has(name));
  if (index < 0) return;
  const message = `The agent has a tool named ${clientTools[index]?.name}.`;
  throw new ProblemError('BAD_REQUEST', message, {
    issues: [{ path: ['clientTools', index, 'name'], message }],
  });
}

/** A schema is work for the service: a visitor may bring one only where the agent allows it. */
async function rejectUnusableSchema(
  { key, agent }: KeyPrincipal,
  outputSchema: Record<string, unknown> | null,
): Promise<void> {
  if (outputSchema === null) return;
  if (key.kind === 'publishable' && !agent.settings.outputSchemaForVisitors)
    throw new ProblemError(
      'FORBIDDEN',
      "This agent takes an 'outputSchema' from secret keys only. Turn on its setting outputSchemaForVisitors.",
    );
  const { schemaProblem } = await import('../../tool/schema/arguments-schema.ts');
  const wrong = schemaProblem(outputSchema);
  if (wrong === undefined) return;
  const message = `Expected 'outputSchema' to be a JSON Schema that can be checked: ${wrong}.`;
  throw new ProblemError('BAD_REQUEST', message, { issues: [{ path: ['outputSchema'], message }] });
}
