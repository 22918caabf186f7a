import type { HistoryEntry } from '../history-store.ts';
import type { Lease } from '../lease-store.ts';
import type { EnqueueResult, QueueItem } from '../queue-store.ts';
import type { SessionStatus } from '../session-status.ts';
import type { SessionRecord } from '../session-store.ts';

export interface ModelRequest {
  readonly sessionId: string;
  readonly open: boolean;
  /** Its scope and id. */
  readonly conversation: readonly [string, string] | null;
  readonly itemId: string;
  readonly idempotency: {
    readonly scope: string;
    readonly request: string;
    readonly ttlMs: number;
  } | null;
  readonly owner: string;
  readonly until: number;
  readonly now: number;
}

interface ModelAccepted {
  readonly outcome: 'accepted';
  readonly sessionId: string;
  readonly nextIndex: number;
  readonly leased: {
    readonly lease: Lease;
    readonly session: Pick<SessionRecord, 'nextIndex' | 'activeAt'>;
    readonly item: Pick<QueueItem, 'id' | 'position'>;
  } | null;
}
type ModelResult = Exclude<EnqueueResult, { outcome: 'accepted' }> | ModelAccepted;

export interface ModelCommit {
  readonly texts: readonly string[];
  readonly history: readonly HistoryEntry[];
  readonly retract: readonly number[];
  readonly consume: readonly number[];
  readonly status: SessionStatus | undefined;
  readonly now: number;
}

export interface ModelSession {
  conversation: readonly [string, string] | null;
  status: SessionStatus;
  texts: string[];
  history: HistoryEntry[];
  queue: Pick<QueueItem, 'id' | 'position'>[];
  nextPosition: number;
  /** Null when nobody holds it. */
  owner: string | null;
  until: number;
  epoch: number;
  activeAt: number;
}

export const bounds = { maxQueued: 2, limit: 4, windowMs: 20, scope: 'key' } as const;

/** What the store promises, in the plainest form: a few maps in memory, one operation at a time. */
export class Model {
  readonly sessions = new Map<string, ModelSession>();
  readonly #remembered = new Map<string, { request: string; expiresAt: number; sessionId: string }>();
  #admitted: number[] = [];

  enqueue(request: ModelRequest): ModelResult {
    const { sessionId, open, conversation, itemId, idempotency, owner, until, now } = request;
    const earlier = idempotency === null ? undefined : this.#remembered.get(idempotency.scope);
    if (idempotency !== null && earlier !== undefined && earlier.expiresAt > now) {
      return earlier.request === idempotency.request
        ? { outcome: 'repeated', result: idempotency.scope }
        : { outcome: 'conflict' };
    }
    const id = (open && conversation !== null && this.#conversation(conversation)) || sessionId;
    const existing = this.sessions.get(id);
    if (existing === undefined && !open) return { outcome: 'missing' };
    if (existing !== undefined && existing.status !== 'open') return { outcome: 'ended' };
    if ((existing?.queue.length ?? 0) >= bounds.maxQueued) return { outcome: 'full' };
    const recent = this.#admitted.filter((at) => at > now - bounds.windowMs);
    if (recent.length >= bounds.limit) {
      const retryAfterMs = recent.at(-bounds.limit)! + bounds.windowMs - now;
      return { outcome: 'limited', scope: bounds.scope, windowMs: bounds.windowMs, retryAfterMs };
    }

    this.#admitted = [...recent, now];
    const session = existing ?? emptySession(conversation, now);
    this.sessions.set(id, session);
    session.queue.push({ id: itemId, position: session.nextPosition++ });
    session.activeAt = now;
    if (idempotency !== null) {
      const expiresAt = now + idempotency.ttlMs;
      this.#remembered.set(idempotency.scope, { ...idempotency, expiresAt, sessionId: id });
    }
    const lease = this.acquireLease(id, owner, until, now);
    return {
      outcome: 'accepted',
      sessionId: id,
      nextIndex: session.texts.length,
      leased: lease && {
        lease,
        session: { nextIndex: session.texts.length, activeAt: now },
        item: session.queue[0]!,
      },
    };
  }

  acquireLease(sessionId: string, owner: string, until: number, now: number): Lease | null {
    const session = this.sessions.get(sessionId);
    if (session === undefined || session.status !== 'open' || !isFree(session, owner, now)) return null;
    session.owner = owner;
    session.until = until;
    return { sessionId, epoch: ++session.epoch };
  }

  commit(lease: Lease, commit: ModelCommit): { firstIndex: number; released: boolean } | 'lease lost' {
    const session = this.#current(lease);
    if (session === undefined) return 'lease lost';
    const firstIndex = session.texts.length;
    session.texts.push(...commit.texts);
    session.history = session.history.filter(({ turn }) => !commit.retract.includes(turn));
    session.history.push(...commit.history);
    session.queue = session.queue.filter(({ position }) => !commit.consume.includes(position));
    session.status = commit.status ?? session.status;
    session.activeAt = commit.now;
    const ended = session.status !== 'open';
    if (ended) Object.assign(session, { owner: null, queue: [] });
    return { firstIndex, released: ended };
  }

  release(lease: Lease): boolean {
    const session = this.#current(lease);
    if (session === undefined || session.queue.length > 0) return false;
    session.owner = null;
    return true;
  }

  abandon(lease: Lease): void {
    const session = this.#current(lease);
    if (session !== undefined) Object.assign(session, { owner: '', until: 0 });
  }

  end(sessionId: string, text: string, now: number): number | null {
    const session = this.sessions.get(sessionId);
    if (session === undefined || session.status !== 'open' || session.owner !== null) return null;
    Object.assign(session, { status: 'completed', owner: null, queue: [], activeAt: now });
    return session.texts.push(text) - 1;
  }

  renew(owner: string, until: number): void {
    for (const session of this.sessions.values()) if (session.owner === owner) session.until = until;
  }

  forget(scope: string): void {
    this.#remembered.delete(scope);
  }

  remove(sessionId: string): boolean {
    for (const [scope, request] of this.#remembered) {
      if (request.sessionId === sessionId) this.#remembered.delete(scope);
    }
    return this.sessions.delete(sessionId);
  }

  listRunnable(owner: string, now: number): string[] {
    return this.#open(
      (session) => isFree(session, owner, now) && (session.owner !== null || session.queue.length > 0),
    );
  }

  idle(before: number): string[] {
    return this.#open(({ activeAt }) => activeAt < before);
  }

  #open(matches: (session: ModelSession) => boolean): string[] {
    return [...this.sessions]
      .filter(([, session]) => session.status === 'open' && matches(session))
      .toSorted(([a, { activeAt: x }], [b, { activeAt: y }]) => x - y || (a < b ? -1 : 1))
      .map(([id]) => id);
  }

  #current({ sessionId, epoch }: Lease): ModelSession | undefined {
    const session = this.sessions.get(sessionId);
    return session !== undefined && session.owner !== null && session.epoch === epoch ? session : undefined;
  }

  #conversation([scope, id]: readonly [string, string]): string | undefined {
    return [...this.sessions].find(
      ([, { conversation }]) => conversation?.[0] === scope && conversation[1] === id,
    )?.[0];
  }
}

function emptySession(conversation: ModelSession['conversation'], activeAt: number): ModelSession {
  return {
    conversation,
    status: 'open',
    texts: [],
    history: [],
    queue: [],
    nextPosition: 0,
    owner: null,
    until: 0,
    epoch: 0,
    activeAt,
  };
}

function isOver({ owner, until }: ModelSession, now: number): boolean {
  return owner === null || until <= now;
}

/** An owner never takes a session from itself. */
function isFree(session: ModelSession, owner: string, now: number): boolean {
  return session.owner !== owner && isOver(session, now);
}
