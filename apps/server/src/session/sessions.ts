import { createHash, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Bus } from '../bus/bus.ts';
import type { InputResponse } from '@parley/protocol/ask';
import type { ActionResult } from '@parley/protocol/client-tool';
import type { IdempotencyKey } from '../store/idempotency-store.ts';
import type { Quota, RateLimit } from '../store/limit-store.ts';
import type { EnqueueRequest, EnqueueResult } from '../store/queue-store.ts';
import type { SessionRecord } from '../store/session-store.ts';
import type { Store } from '../store/store.ts';
import type { Delivery, ItemBody } from './queue-item.ts';
import { type FileContext, type ResolvedMessage, storeFiles } from './message-files.ts';
import { messageFits } from './message-fits.ts';
import { sessionCompleted } from '../events/new-event.ts';
import { createSessionId } from './session-id.ts';
import { type Turn, openTurn } from './state/phase.ts';
import { readState } from './state/read-state.ts';
import { type SessionState, initialState } from './state/schema.ts';
import { UnreadableStateError } from './state/unreadable-state-error.ts';
import type { EventBus } from '../events/event-bus.ts';
import { CommandSender } from './command-sender.ts';
import type { CommandBody, CommandOutcome, NamedTurn, SessionEnd } from './session-command.ts';
import type { TurnRunner } from './turn-runner.ts';

const maxQueued = 10;
const endAttempts = 20;
const endRetryMs = 5;
/** A dead owner's lease runs out after 5 s, and is noticed within another 2. */
const endWaitMs = 8_000;
const abandonWaitMs = 8_000;
/** How long a cancel is waited for where its turn runs, before it is stored. */
const cancelWaitMs = 1_000;
const dayMs = 86_400_000;

/** What a visitor or a server sends: a message, answers, or both. */
export interface Incoming extends Omit<Delivery, 'kind' | 'message'> {
  readonly message: ResolvedMessage | null;
}

export const noExtras = {
  responses: [] as readonly InputResponse[],
  results: [] as readonly ActionResult[],
  clientTools: null,
  context: [] as readonly string[],
  outputSchema: null,
  timeLimitMs: null,
  messageId: null,
  replaces: null,
  visitor: null,
};

/** A POST that may be repeated: who sent it where, under which key, and a digest of what it said. */
export interface Repeatable {
  readonly caller: string;
  readonly route: string;
  readonly key: string;
  readonly request: string;
}

/** The quotas and the token reservation that a turn counts against when it is accepted. */
export interface Allowance {
  readonly quotas: readonly Quota[];
  readonly reservation: Quota;
}

export interface Acceptable extends Allowance {
  readonly incoming: Incoming;
  readonly admissions: readonly RateLimit[];
  readonly files: FileContext;
  readonly repeatable: Repeatable | null;
}

type Owner = Pick<SessionRecord, 'tenantId' | 'agentId'>;

/** Who asks for a session: somebody of this agent, and the visitor they have proved to be. */
export interface Asker extends Owner {
  readonly visitor: string | null;
  /** Sessions of every visitor are theirs: the tenant's own server. */
  readonly forAnyVisitor: boolean;
}

/** Which Chat conversation is meant: the id, among those of the scope. */
export interface Conversation {
  readonly scope: string;
  readonly id: string;
}

/** How a session begins. */
export interface Opening {
  /** False: nobody is there to answer questions or approvals. */
  readonly canRequestInput: boolean;
  readonly mode: SessionState['mode'];
  readonly visitor: string | null;
}

export interface SessionsOptions {
  readonly store: Store;
  /** Null: other processes run the turns. */
  readonly runner: TurnRunner | null;
  readonly bus: Bus;
  readonly live: EventBus;
  /** The address a stored file is served at. */
  readonly fileUrl: (id: string) => string;
}

/** What the repeat of an accepted request is told. */
export interface AcceptedAnswer {
  readonly sessionId: string;
  readonly itemId: string;
  /** The session's `nextIndex` when a follow-up came. */
  readonly nextIndex?: number;
}

/** `pending`: accepted, and not done yet; `busy`: not accepted, it may be asked again. */
export type SessionEndResult = 'ended' | 'not-open' | 'pending' | 'busy';

export type Delivered =
  | { outcome: 'accepted'; sessionId: string; itemId: string; nextIndex: number }
  | { outcome: 'repeated'; answer: AcceptedAnswer; scope: string }
  /** The log takes no event of this size. */
  | { outcome: 'too-large' }
  | Exclude<EnqueueResult, { outcome: 'accepted' | 'repeated' }>;

/** Everything that happens to a session from outside: opened, spoken to, controlled, ended. */
export class Sessions {
  readonly #store: Store;
  readonly #runner: TurnRunner | null;
  readonly #bus: Bus;
  readonly #live: EventBus;
  readonly #commands: CommandSender;
  readonly #fileUrl: (id: string) => string;

  constructor({ store, runner, bus, live, fileUrl }: SessionsOptions) {
    this.#store = store;
    this.#runner = runner;
    this.#bus = bus;
    this.#live = live;
    this.#commands = new CommandSender(store, bus);
    this.#fileUrl = fileUrl;
  }

  /**
   * The session, when it belongs to this tenant and agent, and to this visitor or to none yet; to anybody else it does
   * not exist. Chat conversations are not found: whose they are is said by their scope.
   */
  async find(
    id: string,
    { tenantId, agentId, visitor, forAnyVisitor }: Asker,
  ): Promise<SessionRecord | null> {
    const session = await this.#store.getSession(id);
    if (session?.interface !== 'sessions') return null;
    if (session.tenantId !== tenantId || session.agentId !== agentId) return null;
    return session.visitor === null || session.visitor === visitor || forAnyVisitor ? session : null;
  }

  /** Opens a session with its first message. */
  open(
    owner: Owner,
    { canRequestInput, mode, visitor }: Opening,
    acceptable: Acceptable,
  ): Promise<Delivered> {
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
    return this.#deliver(createSessionId(), open, acceptable);
  }

  /**
   * Queues what somebody has sent to an open session. It gets its turn after everything accepted before it; `missing`
   * when the session has become another visitor's since it was found.
   */
  deliver(
    { id, nextIndex }: Pick<SessionRecord, 'id' | 'nextIndex'>,
    asker: Asker,
    acceptable: Acceptable,
  ): Promise<Delivered> {
    return this.#deliver(id, undefined, acceptable, { asker, nextIndex });
  }

  /** Queues a Chat turn; the conversation begins with its first. */
  converse(owner: Owner, { scope, id }: Conversation, acceptable: Acceptable): Promise<Delivered> {
    const open = {
      ...owner,
      interface: 'chat' as const,
      conversationId: id,
      conversationScope: scope,
      visitor: null,
      state: initialState,
    };
    return this.#deliver(createSessionId(), open, acceptable);
  }

  /** Queues a control behind what was accepted before it. */
  control(
    sessionId: string,
    asker: Asker,
    kind: 'clear' | 'compact',
    allowance: Pick<Allowance, 'quotas'> & Partial<Allowance>,
  ): Promise<EnqueueResult> {
    const rest = { ...nothingElse, ...allowance, ...sender(asker) };
    return this.#accept(sessionId, undefined, randomUUID(), { kind }, rest);
  }

  /**
   * Cancels the named turn; without a name the open one, or the first that waits. `accepted` once that is in the log
   * where the turn runs in this process, or else once the command is stored, whose effect is not waited for: a crash
   * after the answer loses neither. Which turn is meant is read before anything is asked, so that a command which is
   * obeyed late cancels no turn that began after it.
   */
  async cancel(sessionId: string, named: NamedTurn = {}): Promise<'accepted' | 'no-active-turn' | 'busy'> {
    const target = named.turnId || named.itemId ? named : await this.#nextTurn(sessionId);
    if (target === 'not-open') return 'no-active-turn';
    // An idle session takes the request as a running one does: `sessions-protocol` 1.4.
    if (target === null) return 'accepted';
    const body: CommandBody = { kind: 'cancel', ...target };
    const late = setTimeout(cancelWaitMs, false, { ref: false });
    if (await Promise.race([this.#isObeyedHere(sessionId, body), late])) return 'accepted';
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
    if (!(await this.#isObeyedHere(sessionId, body)))
      await this.#commands.send(sessionId, body, abandonWaitMs);
  }

  /**
   * Ends an open session, cancelling what runs. A session that another process holds is ended by that one; `pending`
   * when whoever holds it has not done so within 8 s, in which a dead one is noticed.
   */
  async end(sessionId: string, ending: SessionEnd): Promise<SessionEndResult> {
    const body: CommandBody = { kind: 'end', ...ending };
    for (let attempt = 0; attempt < endAttempts; attempt += 1) {
      const obeyed = this.#runner?.obey(sessionId, body);
      const outcome = obeyed && (await within(endWaitMs, obeyed));
      if (obeyed && outcome === 'pending') {
        this.#endLater(obeyed, sessionId, ending);
        return 'pending';
      }
      if (outcome === 'ended') return 'ended';
      const firstIndex = await this.#store.endSession(sessionId, ending);
      if (firstIndex !== null) {
        // With what was appended: a session that is removed next can no longer be read.
        const events = ending.events.map((event, offset) => ({ ...event, index: firstIndex + offset }));
        this.#live.publish(sessionId, events);
        return 'ended';
      }
      const sent = await this.#commands.send(sessionId, body, endWaitMs);
      if (sent === 'ended' || sent === 'pending') return sent;
      if (sent === 'not-open' || sent === 'session-ended') return 'not-open';
      // Its holder let go of it in between, or has as many commands as it may.
      await setTimeout(endRetryMs);
    }
    return 'busy';
  }

  /**
   * Makes a session that nobody is bound to the visitor's own, once they have shown the session's token: what they began
   * before they were known goes on as theirs. Streams that anybody else has opened with a publishable key end; their
   * readers come back as the visitor, or not at all. False when the session is another's.
   */
  async assignToVisitor({ id, visitor: owner }: SessionRecord, visitor: string): Promise<boolean> {
    if (owner === visitor) return true;
    const assigned = await this.#store.assignVisitor(id, visitor);
    if (assigned) this.#bus.publish({ topic: 'sessionAssigned', sessionId: id, visitor });
    return assigned;
  }

  /** Ends the session if it is open, cancelling what runs, and removes all there is of it, done with or not. */
  async remove(sessionId: string): Promise<boolean> {
    await this.end(sessionId, { events: [sessionCompleted()], status: 'completed' });
    const removed = await this.#store.removeSession(sessionId);
    this.#live.forget(sessionId);
    return removed;
  }

  /** Forgets an answered request, so that the same one runs again. */
  forget(scope: string, answer: AcceptedAnswer): Promise<void> {
    return this.#store.deleteIdempotencyKey(scope, answer);
  }

  /** The open turn or, where none is, the first item that waits; null when there is neither. */
  async #nextTurn(sessionId: string): Promise<NamedTurn | 'not-open' | null> {
    // The queue is read first: an item that begins between the two reads is then found open, not passed over.
    const [first] = await this.#store.listQueue(sessionId);
    const session = await this.#store.getSession(sessionId);
    if (session?.status !== 'open') return 'not-open';
    const turn = readOpenTurn(session);
    if (turn) return { turnId: `turn_${turn.sequence}` };
    return first ? { itemId: first.id } : null;
  }

  /** A process that holds a session no more, and does not know it yet, finds no turn where another runs one: the store is asked. */
  async #isObeyedHere(sessionId: string, body: CommandBody): Promise<boolean> {
    const outcome = (await this.#runner?.obey(sessionId, body)) ?? 'no-active-turn';
    return outcome !== 'no-active-turn';
  }

  /** Where it runs the end was asked for already; should the session be let go of before it is done, it is asked for again. */
  #endLater(obeyed: Promise<CommandOutcome | null>, sessionId: string, ending: SessionEnd): void {
    obeyed
      .then((outcome) => (outcome === null ? this.end(sessionId, ending) : undefined))
      // Whoever asked knows that it was not done, and finds the session open.
      .catch(() => undefined);
  }

  async #deliver(
    sessionId: string,
    open: EnqueueRequest['open'],
    { incoming, admissions, quotas, reservation, files, repeatable }: Acceptable,
    known: { asker: Asker; nextIndex: number } | null = null,
  ): Promise<Delivered> {
    const { message, ...rest } = incoming;
    const stored = message ? await storeFiles(this.#store.files, message, files, this.#fileUrl) : null;
    if (stored?.outcome === 'limited') return stored;
    const body: Delivery = { ...rest, kind: 'delivery', message: stored?.body ?? null };
    const itemId = randomUUID();
    const answer = { sessionId, itemId, ...(known && { nextIndex: known.nextIndex }) };
    const idempotency = repeatable ? idempotencyKey(repeatable, answer) : null;
    const { visitor, maxSessionBytes, again } = files;
    const ids = stored?.body.fileIds ?? [];
    let accepted: EnqueueResult | null = null;
    try {
      if (stored && !messageFits(stored.body)) return { outcome: 'too-large' };
      accepted = await this.#accept(sessionId, open, itemId, body, {
        files: ids.length > 0 ? { ids, visitor, maxSessionBytes, again } : null,
        rateLimits: admissions,
        quotas,
        reservation,
        idempotency,
        ...(known && sender(known.asker)),
      });
    } finally {
      const own = stored?.own ?? [];
      if (accepted?.outcome !== 'accepted' && own.length > 0) await this.#store.files.discard(own);
    }
    if (accepted.outcome === 'accepted') {
      const { nextIndex } = accepted;
      return { outcome: 'accepted', sessionId: accepted.sessionId, itemId, nextIndex };
    }
    if (accepted.outcome === 'repeated') {
      return {
        outcome: 'repeated',
        answer: accepted.result as AcceptedAnswer,
        scope: idempotency?.scope ?? '',
      };
    }
    return accepted;
  }

  async #accept(
    sessionId: string,
    open: EnqueueRequest['open'],
    itemId: string,
    body: ItemBody,
    rest: Pick<EnqueueRequest, 'visitor' | 'files' | 'rateLimits' | 'quotas' | 'reservation' | 'idempotency'>,
  ): Promise<EnqueueResult> {
    const accepted = await this.#store.enqueue({
      ...(open ? { open } : {}),
      sessionId,
      item: { id: itemId, body },
      ...rest,
      maxQueued,
      lease: this.#runner?.lease ?? null,
    });
    if (accepted.outcome !== 'accepted') return accepted;
    if (this.#runner === null) this.#bus.publish({ topic: 'sessionQueued', sessionId: accepted.sessionId });
    else if (accepted.leased) {
      this.#live.remember(accepted.sessionId, accepted.nextIndex);
      this.#runner.run(accepted.leased, itemId);
    }
    return accepted;
  }
}

/** Null also where the state cannot be read: whoever runs the session fails what is open in it. */
function readOpenTurn(session: SessionRecord): Turn | null {
  try {
    return openTurn(readState(session));
  } catch (error) {
    if (error instanceof UnreadableStateError) return null;
    throw error;
  }
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T | 'pending'> {
  const answered = new AbortController();
  try {
    return await Promise.race([
      promise,
      setTimeout(ms, 'pending' as const, { signal: answered.signal, ref: false }),
    ]);
  } finally {
    answered.abort();
  }
}

/** Whose the session has to be still, when what they sent is accepted. */
function sender({ visitor, forAnyVisitor }: Asker): Pick<EnqueueRequest, 'visitor'> {
  return forAnyVisitor ? {} : { visitor };
}

const nothingElse = { files: null, rateLimits: [], idempotency: null };

function idempotencyKey({ caller, route, key, request }: Repeatable, answer: AcceptedAnswer): IdempotencyKey {
  return {
    scope: digest([caller, route, key]),
    request,
    result: answer,
    ttlMs: dayMs,
  };
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
