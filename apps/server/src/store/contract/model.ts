import type { Accepted, Claim, HistoryEntry, QueuedItem, SessionStatus } from '../store.ts';

export interface ModelAcceptance {
  readonly sessionId: string;
  readonly open: boolean;
  readonly conversationId: string | null;
  readonly itemId: string;
  readonly idempotency: {
    readonly scope: string;
    readonly request: string;
    readonly expiresAt: number;
  } | null;
  readonly until: number;
  readonly now: number;
}

export interface ModelCommit {
  readonly texts: readonly string[];
  readonly history: readonly HistoryEntry[];
  readonly withdraw: readonly number[];
  readonly consume: readonly number[];
  readonly status: SessionStatus | undefined;
  readonly now: number;
}

export interface ModelSession {
  conversationId: string | null;
  status: SessionStatus;
  texts: string[];
  history: HistoryEntry[];
  queue: Pick<QueuedItem, 'id' | 'position'>[];
  nextPosition: number;
  held: boolean;
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

  accept({ sessionId, open, conversationId, itemId, idempotency, until, now }: ModelAcceptance): Accepted {
    const earlier = idempotency === null ? undefined : this.#remembered.get(idempotency.scope);
    if (idempotency !== null && earlier !== undefined && earlier.expiresAt > now) {
      return earlier.request === idempotency.request
        ? { outcome: 'repeated', answer: idempotency.scope }
        : { outcome: 'conflict' };
    }
    const id = (open && conversationId !== null && this.#conversation(conversationId)) || sessionId;
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
    const session = existing ?? emptySession(conversationId, now);
    this.sessions.set(id, session);
    session.queue.push({ id: itemId, position: session.nextPosition++ });
    session.activeAt = now;
    if (idempotency !== null) this.#remembered.set(idempotency.scope, { ...idempotency, sessionId: id });
    return {
      outcome: 'accepted',
      sessionId: id,
      nextIndex: session.texts.length,
      claim: this.claim(id, until, now),
    };
  }

  claim(sessionId: string, until: number, now: number): Claim | null {
    const session = this.sessions.get(sessionId);
    if (session === undefined || session.status !== 'open' || (session.held && session.until > now))
      return null;
    session.held = true;
    session.until = until;
    return { sessionId, epoch: ++session.epoch };
  }

  commit(claim: Claim, commit: ModelCommit): { firstIndex: number; released: boolean } | 'fenced' {
    const session = this.#current(claim);
    if (session === undefined) return 'fenced';
    const firstIndex = session.texts.length;
    session.texts.push(...commit.texts);
    session.history = session.history.filter(({ turn }) => !commit.withdraw.includes(turn));
    session.history.push(...commit.history);
    session.queue = session.queue.filter(({ position }) => !commit.consume.includes(position));
    session.status = commit.status ?? session.status;
    session.activeAt = commit.now;
    return { firstIndex, released: false };
  }

  release(claim: Claim): boolean {
    const session = this.#current(claim);
    if (session === undefined || session.queue.length > 0) return false;
    session.held = false;
    return true;
  }

  end(sessionId: string, text: string, now: number): boolean {
    const session = this.sessions.get(sessionId);
    if (session === undefined || session.status !== 'open' || (session.held && session.until > now))
      return false;
    Object.assign(session, { status: 'completed', held: false, activeAt: now });
    session.texts.push(text);
    return true;
  }

  prolong(until: number): void {
    for (const session of this.sessions.values()) if (session.held) session.until = until;
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

  abandoned(now: number): string[] {
    return this.#open(({ held, until, queue }) => (held ? until <= now : queue.length > 0));
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

  #current({ sessionId, epoch }: Claim): ModelSession | undefined {
    const session = this.sessions.get(sessionId);
    return session?.held === true && session.epoch === epoch ? session : undefined;
  }

  #conversation(conversationId: string): string | undefined {
    return [...this.sessions].find(([, session]) => session.conversationId === conversationId)?.[0];
  }
}

function emptySession(conversationId: string | null, activeAt: number): ModelSession {
  return {
    conversationId,
    status: 'open',
    texts: [],
    history: [],
    queue: [],
    nextPosition: 0,
    held: false,
    until: 0,
    epoch: 0,
    activeAt,
  };
}
