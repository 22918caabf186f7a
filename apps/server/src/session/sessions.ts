import { randomUUID } from 'node:crypto';
import { sessionCompleted } from '../events/new-event.ts';
import type { EnqueueResult } from '../store/queue-store.ts';
import type { SessionRecord } from '../store/session-store.ts';
import type { SignIns } from '../sign-in/sign-ins.ts';
import type { WebhookOutbox } from '../webhook/webhook-outbox.ts';
import { CommandSender } from './command-sender.ts';
import { type SessionEndResult, endSession, endUnheld } from './end-session.ts';
import { enqueueItem } from './enqueue-item.ts';
import {
  type SendRequest,
  type AcceptedMessage,
  type Allowance,
  type SendResult,
  type EnqueueMessageDeps,
  enqueueMessage,
} from './enqueue-message.ts';
import { nextTurn } from './next-turn.ts';
import type { TeamAction } from './queue-item.ts';
import type { Repeatable } from './repeatable.ts';
import { type TeamActionResult, sendTeamAction } from './send-team-action.ts';
import { type SessionAccess, type Owner, sender } from './session-access.ts';
import type { CommandBody, NamedTurn, SessionEnd } from './session-command.ts';
import { createSessionId } from './session-id.ts';
import { type SessionState, initialState } from './state/schema.ts';
import { within } from './within.ts';

/** How long a cancel is waited for where its turn runs, before it is stored. */
const cancelWaitMs = 1_000;
/** How long the outcome of what nobody reads any more is waited for. */
const abandonWaitMs = 8_000;

/** Which Chat conversation is meant: the id, among those of the scope. */
export interface Conversation {
  readonly scope: string;
  readonly id: string;
}

/** How a session begins. */
export interface NewSession {
  /** False: nobody is there to answer questions or approvals. */
  readonly canRequestInput: boolean;
  readonly mode: SessionState['mode'];
  readonly visitor: string | null;
}

interface SessionsDeps extends EnqueueMessageDeps {
  readonly signIns: Pick<SignIns, 'forgetSession'>;
  readonly webhookOutbox: WebhookOutbox;
}

/** Everything that happens to a session from outside: opened, spoken to, controlled, ended. */
export class Sessions {
  readonly #deps: SessionsDeps;
  readonly #commands: CommandSender;

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    this.#commands = new CommandSender(deps.store, deps.bus);
  }

  /**
   * The session, when it belongs to this tenant and agent, and to this visitor or to none yet; to anybody else it does
   * not exist. Chat conversations are not found: whose they are is said by their scope.
   */
  async find(
    id: string,
    { tenantId, agentId, visitor, forAnyVisitor }: SessionAccess,
  ): Promise<SessionRecord | null> {
    const session = await this.#deps.store.getSession(id);
    if (session?.interface !== 'sessions') return null;
    if (session.tenantId !== tenantId || session.agentId !== agentId) return null;
    return session.visitor === null || session.visitor === visitor || forAnyVisitor ? session : null;
  }

  /** Opens a session with its first message. */
  open(
    owner: Owner,
    { canRequestInput, mode, visitor }: NewSession,
    request: SendRequest,
  ): Promise<SendResult> {
    const open = {
      ...owner,
      interface: 'sessions' as const,
      conversationId: null,
      conversationScope: null,
      visitor,
      state: {
        ...initialState,
        mode,
        canRequestInput: canRequestInput && mode !== 'task',
      } satisfies SessionState,
    };
    return enqueueMessage(this.#deps, createSessionId(), open, request);
  }

  /**
   * Queues what somebody has sent to an open session. It gets its turn after everything accepted before it; `missing`
   * when the session has become another visitor's since it was found.
   */
  send(
    { id, nextIndex }: Pick<SessionRecord, 'id' | 'nextIndex'>,
    access: SessionAccess,
    request: SendRequest,
  ): Promise<SendResult> {
    return enqueueMessage(this.#deps, id, undefined, request, { id, nextIndex, access });
  }

  /** Queues a Chat turn; the conversation, `known` where it was found, begins with its first. */
  converse(
    owner: Owner,
    { scope, id }: Conversation,
    request: SendRequest,
    known: Pick<SessionRecord, 'id' | 'nextIndex'> | null,
  ): Promise<SendResult> {
    const open = {
      ...owner,
      interface: 'chat' as const,
      conversationId: id,
      conversationScope: scope,
      visitor: null,
      state: initialState,
    };
    return enqueueMessage(this.#deps, createSessionId(), open, request, known);
  }

  /** Queues a control behind what was accepted before it. */
  control(
    sessionId: string,
    access: SessionAccess,
    kind: 'clear' | 'compact',
    allowance: Pick<Allowance, 'quotas'> & Partial<Allowance>,
  ): Promise<EnqueueResult> {
    const rest = { ...nothingElse, ...allowance, ...sender(access) };
    return enqueueItem(this.#deps, sessionId, undefined, randomUUID(), { kind }, rest);
  }

  /**
   * Cancels the named turn; without a name the open one, or the first that waits. `accepted` once that is in the log
   * where the turn runs in this process, or else once the command is stored, whose effect is not waited for: a crash
   * after the answer loses neither. Which turn is meant is read before anything is asked, so that a command which is
   * executed late cancels no turn that began after it.
   */
  async cancel(sessionId: string, named: NamedTurn = {}): Promise<'accepted' | 'no-active-turn' | 'busy'> {
    const target = named.turnId || named.itemId ? named : await nextTurn(this.#deps.store, sessionId);
    if (target === 'not-open') return 'no-active-turn';
    // An idle session takes the request as a running one does: `sessions-protocol` 1.4.
    if (target === null) return 'accepted';
    const body: CommandBody = { kind: 'cancel', ...target };
    if ((await within(cancelWaitMs, this.#isExecutedHere(sessionId, body))) === true) return 'accepted';
    const sent = await this.#commands.send(sessionId, body, 0);
    if (sent === 'full') return 'busy';
    return sent === 'not-open' ? 'no-active-turn' : 'accepted';
  }

  /**
   * Cancels a turn that nobody reads in this process any more, unless somebody does in another. Resolves when what
   * became of that is in the log; where another process runs the turn, after 8 s at the latest.
   */
  async abandon(sessionId: string, itemId: string, process: string): Promise<void> {
    const body: CommandBody = { kind: 'abandon', itemId, process };
    if (!(await this.#isExecutedHere(sessionId, body)))
      await this.#commands.send(sessionId, body, abandonWaitMs);
  }

  /** Has a member of the team do something in a conversation, as `sendTeamAction` says. */
  act(
    session: Pick<SessionRecord, 'id' | 'nextIndex'>,
    action: TeamAction,
    repeatable: Repeatable | null = null,
  ): Promise<TeamActionResult> {
    const deps = { ...this.#deps, cancel: (id: string, named: NamedTurn) => this.cancel(id, named) };
    return sendTeamAction(deps, session, action, repeatable);
  }

  /** Ends an open session as `endSession` says, whatever process runs it. */
  end(sessionId: string, ending: SessionEnd): Promise<SessionEndResult> {
    return endSession({ ...this.#deps, commands: this.#commands }, sessionId, ending);
  }

  /** Ends an open session in which nothing has happened for so long; false: somebody is back or holds it, or it had ended. */
  endIdle(sessionId: string, ending: SessionEnd, idleMs: number): Promise<boolean> {
    return endUnheld(this.#deps, sessionId, ending, idleMs);
  }

  /**
   * Makes a session that nobody is bound to the visitor's own, once they have shown the session's token: what they began
   * before they were known goes on as theirs. Streams that anybody else has opened with a publishable key end; their
   * readers come back as the visitor, or not at all. False when the session is another's.
   */
  async assignToVisitor({ id, visitor: owner }: SessionRecord, visitor: string): Promise<boolean> {
    if (owner === visitor) return true;
    const assigned = await this.#deps.store.assignVisitor(id, visitor);
    if (assigned) this.#deps.bus.publish({ topic: 'sessionAssigned', sessionId: id, visitor });
    return assigned;
  }

  /**
   * Ends the session if it is open, cancelling what runs, and removes all there is of it, done with or not. With `idleMs`
   * only when nothing has happened in it for so long. False: there was none, or it was not idle.
   */
  async remove(sessionId: string, only?: { readonly idleMs: number }): Promise<boolean> {
    if (!only) await this.end(sessionId, { events: [sessionCompleted()], status: 'completed' });
    const { store, bus, live, signIns } = this.#deps;
    const session = await store.getSession(sessionId);
    const removed = await store.removeSession(sessionId, only);
    if (only && !removed) return false;
    live.forget(sessionId);
    if (session) {
      const { id, tenantId, agentId, visitor } = session;
      if (removed && session.interface === 'sessions')
        bus.publish({ topic: 'threadChanged', sessionId: id, removedFrom: agentId });
      const query = { tenantId, agentId, after: null, limit: 1 };
      const isLast =
        visitor !== null && (await store.listVisitorSessions({ ...query, visitor })).items.length === 0;
      await signIns.forgetSession({ id, agentId, visitor, isLast });
    }
    return removed;
  }

  /** Forgets an answered request, so that the same one runs again. */
  forget(scope: string, accepted: AcceptedMessage): Promise<void> {
    return this.#deps.store.deleteIdempotencyKey(scope, accepted);
  }

  /** A process that holds a session no more, and does not know it yet, finds no turn where another runs one: the store is asked. */
  async #isExecutedHere(sessionId: string, body: CommandBody): Promise<boolean> {
    const outcome = (await this.#deps.runner?.execute(sessionId, body)) ?? 'no-active-turn';
    return outcome !== 'no-active-turn';
  }
}

const nothingElse = { files: null, rateLimits: [], idempotency: null };
