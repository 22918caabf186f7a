import { createHash, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { InputResponse } from '@parley/protocol/ask';
import type { ActionResult } from '@parley/protocol/client-tool';
import type {
  Acceptance,
  Accepted,
  IdempotencyKey,
  Quota,
  Admission,
  SessionRecord,
  Store,
} from '../store/store.ts';
import type { Delivery, ItemBody } from './item.ts';
import { type FileContext, type ResolvedMessage, storeFiles } from './message-files.ts';
import { messageFits } from './message-fits.ts';
import { sessionCompleted } from './new-event.ts';
import { createSessionId } from './session-id.ts';
import { type SessionState, initialState } from './state.ts';
import type { LiveLog } from './live-log.ts';
import type { SessionEnd, TurnRunner } from './turn-runner.ts';

const maxQueued = 10;
const endAttempts = 20;
const endRetryMs = 5;
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
  readonly admissions: readonly Admission[];
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
  readonly mayAsk: boolean;
  readonly visitor: string | null;
}

export interface SessionsOptions {
  readonly store: Store;
  readonly runner: TurnRunner;
  readonly live: LiveLog;
  /** The address a stored file is served at. */
  readonly fileUrl: (id: string) => string;
}

/** What the repeat of an accepted request is told. */
export interface AcceptedAnswer {
  readonly sessionId: string;
  readonly itemId: string;
}

export type Delivered =
  | { outcome: 'accepted'; sessionId: string; itemId: string; nextIndex: number }
  | { outcome: 'repeated'; answer: AcceptedAnswer; scope: string }
  /** The log takes no event of this size. */
  | { outcome: 'too-large' }
  | Exclude<Accepted, { outcome: 'accepted' | 'repeated' }>;

/** Everything that happens to a session from outside: opened, spoken to, controlled, ended. */
export class Sessions {
  readonly #store: Store;
  readonly #runner: TurnRunner;
  readonly #live: LiveLog;
  readonly #fileUrl: (id: string) => string;

  constructor({ store, runner, live, fileUrl }: SessionsOptions) {
    this.#store = store;
    this.#runner = runner;
    this.#live = live;
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
    const session = await this.#store.session(id);
    if (session?.interface !== 'sessions') return null;
    if (session.tenantId !== tenantId || session.agentId !== agentId) return null;
    return session.visitor === null || session.visitor === visitor || forAnyVisitor ? session : null;
  }

  /** Opens a session with its first message. */
  open(owner: Owner, { mayAsk, visitor }: Opening, acceptable: Acceptable): Promise<Delivered> {
    const open = {
      ...owner,
      interface: 'sessions' as const,
      conversationId: null,
      conversationScope: null,
      visitor,
      state: { ...initialState, mayAsk },
    };
    return this.#deliver(createSessionId(), open, acceptable);
  }

  /**
   * Queues what somebody has sent to an open session. It gets its turn after everything accepted before it; `missing`
   * when the session has become another visitor's since it was found.
   */
  deliver(sessionId: string, asker: Asker, acceptable: Acceptable): Promise<Delivered> {
    return this.#deliver(sessionId, undefined, acceptable, asker);
  }

  /** Queues a Chat turn; the conversation begins with its first. */
  async converse(owner: Owner, { scope, id }: Conversation, acceptable: Acceptable): Promise<Delivered> {
    const known = await this.#store.conversation(owner.agentId, scope, id);
    const open = {
      ...owner,
      interface: 'chat' as const,
      conversationId: id,
      conversationScope: scope,
      visitor: null,
      state: initialState,
    };
    return this.#deliver(known?.id ?? createSessionId(), open, acceptable);
  }

  /** Queues a control behind what was accepted before it. */
  control(
    sessionId: string,
    asker: Asker,
    kind: 'clear' | 'compact',
    allowance: Pick<Allowance, 'quotas'> & Partial<Allowance>,
  ): Promise<Accepted> {
    const rest = { ...nothingElse, ...allowance, ...sender(asker) };
    return this.#accept(sessionId, undefined, randomUUID(), { kind }, rest);
  }

  /** Cancels the running turn, or the named one if it is running. */
  cancel(sessionId: string, named?: { turnId?: string; itemId?: string }): void {
    this.#runner.cancel(sessionId, named);
  }

  /** Ends an open session, cancelling what runs. False when it was not open. */
  async end(sessionId: string, ending: SessionEnd): Promise<boolean> {
    for (let attempt = 0; attempt < endAttempts; attempt += 1) {
      if (await this.#runner.end(sessionId, ending)) return true;
      if (await this.#store.end(sessionId, { ...ending, now: Date.now() })) {
        this.#live.poke(sessionId);
        return true;
      }
      const session = await this.#store.session(sessionId);
      if (session?.status !== 'open') return false;
      // A turn began in between: it is about to be known to the runner.
      await setTimeout(endRetryMs);
    }
    return false;
  }

  /** Binds a session to a visitor, for good. False when it belongs to another. */
  bind(sessionId: string, visitor: string): Promise<boolean> {
    return this.#store.bind(sessionId, visitor);
  }

  /** Ends the session if it is open, cancelling what runs, and removes all there is of it. */
  async remove(sessionId: string): Promise<boolean> {
    await this.end(sessionId, { events: [sessionCompleted()], status: 'completed' });
    return this.#store.remove(sessionId);
  }

  /** Forgets an answered request, so that the same one runs again. */
  forget(scope: string): Promise<void> {
    return this.#store.forgetIdempotency(scope);
  }

  async #deliver(
    sessionId: string,
    open: Acceptance['open'],
    { incoming, admissions, quotas, reservation, files, repeatable }: Acceptable,
    asker: Asker | null = null,
  ): Promise<Delivered> {
    const { message, ...rest } = incoming;
    const stored = message ? await storeFiles(this.#store.files, message, files, this.#fileUrl) : null;
    if (stored?.outcome === 'limited') return stored;
    const body: Delivery = { ...rest, kind: 'delivery', message: stored?.body ?? null };
    const itemId = randomUUID();
    const idempotency = repeatable ? idempotencyKey(repeatable, { sessionId, itemId }) : null;
    const { visitor, maxSessionBytes, again } = files;
    const ids = stored?.body.fileIds ?? [];
    let accepted: Accepted | null = null;
    try {
      if (stored && !messageFits(stored.body)) return { outcome: 'too-large' };
      accepted = await this.#accept(sessionId, open, itemId, body, {
        files: ids.length > 0 ? { ids, visitor, maxSessionBytes, again } : null,
        admissions,
        quotas,
        reservation,
        idempotency,
        ...(asker && sender(asker)),
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
        answer: accepted.answer as AcceptedAnswer,
        scope: idempotency?.scope ?? '',
      };
    }
    return accepted;
  }

  async #accept(
    sessionId: string,
    open: Acceptance['open'],
    itemId: string,
    body: ItemBody,
    rest: Pick<Acceptance, 'visitor' | 'files' | 'admissions' | 'quotas' | 'reservation' | 'idempotency'>,
  ): Promise<Accepted> {
    const accepted = await this.#store.accept({
      ...(open ? { open } : {}),
      sessionId,
      item: { id: itemId, body },
      ...rest,
      maxQueued,
      lease: this.#runner.lease(),
      now: Date.now(),
    });
    if (accepted.outcome === 'accepted' && accepted.claim) this.#runner.run(accepted.claim, itemId);
    return accepted;
  }
}

/** Whose the session has to be still, when what they sent is accepted. */
function sender({ visitor, forAnyVisitor }: Asker): Pick<Acceptance, 'visitor'> {
  return forAnyVisitor ? {} : { visitor };
}

const nothingElse = { files: null, admissions: [], idempotency: null };

function idempotencyKey({ caller, route, key, request }: Repeatable, answer: AcceptedAnswer): IdempotencyKey {
  return {
    scope: digest([caller, route, key]),
    request,
    answer,
    expiresAt: Date.now() + dayMs,
  };
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

export function stateOf(session: SessionRecord): SessionState {
  return session.state as SessionState;
}
