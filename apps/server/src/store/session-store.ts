import type { NewEvent } from './event-store.ts';
import type { SessionStatus } from './session-status.ts';
import type { NewDelivery } from './webhook-store.ts';

export interface SessionRecord {
  readonly id: string;
  readonly tenantId: string;
  readonly agentId: string;
  /** Which interface it belongs to; a Chat conversation is one session per (agent, conversationScope, conversationId). */
  readonly interface: 'sessions' | 'chat';
  readonly conversationId: string | null;
  /** Who shares the conversation's id: the same id in another scope is another conversation. Null without an id. */
  readonly conversationScope: string | null;
  /** The identified visitor it belongs to, or null while nobody has proved to be one. */
  readonly visitor: string | null;
  readonly status: SessionStatus;
  /** What the turn runner keeps between commits, as JSON. */
  readonly state: unknown;
  /** The index the next event gets: the length of the log. */
  readonly nextIndex: number;
  readonly createdAt: number;
  readonly activeAt: number;
}

/** What readers of a session have to know of it again and again. */
export type SessionHead = Pick<SessionRecord, 'id' | 'nextIndex'>;

/** A session that is somebody's own. */
export interface OwnedSession {
  readonly id: string;
  readonly visitor: string;
}

/** Those of an agent come with the oldest activity first. `skip`: how many of the first are left out. */
interface IdleQuery {
  readonly agentId: string | null;
  readonly idleMs: number;
  readonly limit: number;
  readonly skip?: number;
}

export interface SessionStore {
  getSession(id: string): Promise<SessionRecord | null>;

  /** The heads of those sessions that exist, in any order; 500 ids at most. */
  listSessionHeads(ids: readonly string[]): Promise<readonly SessionHead[]>;

  /** Of those sessions the ones that are a visitor's, in any order; 500 ids at most. */
  listOwned(ids: readonly string[]): Promise<readonly OwnedSession[]>;

  /** The conversation of this id in this scope; the same id in any other scope is not found. */
  findConversation(agentId: string, scope: string, conversationId: string): Promise<SessionRecord | null>;

  /**
   * Ends an open session that nobody runs: `events` are appended, the status set, the queue dropped, commands finished
   * as `session-ended`, `wakeAt` cleared, the turns that still run or wait cancelled and `deliveries` added, in one transaction. Resolves
   * with the index of the first event; with null when it was not open or is held, also when the lease ran out: the turn
   * that its holder left open is ended first, by whoever takes the session over. With `idleMs` only when nothing has
   * happened in it for so long.
   */
  endSession(
    sessionId: string,
    change: {
      events: readonly NewEvent[];
      status: SessionStatus;
      deliveries?: readonly NewDelivery[];
      idleMs?: number;
    },
  ): Promise<number | null>;

  /** Open sessions of an agent, or (null) of agents that are gone, without activity for `idleMs`; 0 for every one. */
  listIdle(query: IdleQuery): Promise<readonly string[]>;

  /** Sessions that are not open, of an agent or (null) of agents that are gone, without activity for `idleMs`. */
  listEnded(query: IdleQuery): Promise<readonly string[]>;

  /**
   * Removes the session with its lease, events, history, turns, call results, queue, files, feedback, open questions, thread, notes, deliveries to webhooks and idempotency rows. From
   * the first moment on nobody meets any of it; its rows go page by page, other work in between, and when this resolves
   * all are gone. What is left of it when this rejects or the process dies, `finishRemovals` removes, as does the next start.
   * With `idleMs` only when nothing has happened in it for so long. False: there was none, or it was not idle.
   */
  removeSession(sessionId: string, only?: { readonly idleMs: number }): Promise<boolean>;

  /**
   * Goes on with every removal that has begun, also where another process is in the middle of one. Resolves with true
   * when nothing is left of what had begun before the call; with false when `maxMs` were not enough.
   */
  finishRemovals(maxMs: number): Promise<boolean>;
}
