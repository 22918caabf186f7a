import type { SessionEvent } from '@parley/protocol/event';
import type { FileStore } from './file-store.ts';
import type { Page, SettingsStore } from './settings-store.ts';

export type SessionStatus = 'open' | 'completed' | 'failed' | 'reset';

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

/** An event as stored: no cumulative text, no continuation token. */
export interface StoredEvent {
  readonly index: number;
  readonly event: SessionEvent;
  /** The tool behind it is shown to publishable-key readers by name and state only. */
  readonly concealed: boolean;
  /** The queued item that began this turn; on `turn.started` only. */
  readonly itemId: string | null;
}

export type NewEvent = Omit<StoredEvent, 'index'>;

/** A page of a session's log. */
export interface EventPage {
  readonly events: readonly StoredEvent[];
  /** The index to go on from, or null when the log ends here for now. */
  readonly next: number | null;
}

/** Something accepted that waits for its turn: a message, answers, or a control. */
export interface QueuedItem {
  readonly id: string;
  /** Position in the session's queue; FIFO. */
  readonly position: number;
  readonly body: unknown;
  readonly acceptedAt: number;
  /** The length of the log when it was accepted; null for items of versions that did not keep it. */
  readonly acceptedIndex: number | null;
}

/** The result of a tool call whose step is open, as JSON. */
export interface CallResult {
  readonly callId: string;
  readonly result: unknown;
}

export interface HistoryEntry {
  /** The turn that said it. */
  readonly turn: number;
  /** A model message, as JSON. */
  readonly message: unknown;
}

export interface HistoryQuery {
  /** Entries of later turns only; -1 for all. */
  readonly afterTurn: number;
  /** The `next` of the page before, or null for the first. */
  readonly from: number | null;
}

export interface HistoryPage {
  readonly entries: readonly HistoryEntry[];
  /** Of the entries' messages. */
  readonly bytes: number;
  readonly next: number | null;
}

/** How many tokens a model turned out to take. */
export interface ContextWindow {
  readonly agentId: string;
  readonly modelId: string;
  readonly tokens: number;
  /** Unix milliseconds from which on it is to be found out afresh. */
  readonly expiresAt: number;
}

/** The right to append to one session. Every claim raises `epoch`; older epochs are refused from then on. */
export interface Claim {
  readonly sessionId: string;
  readonly epoch: number;
}

export interface IdempotencyKey {
  /** Key, route and conversation, hashed together. */
  readonly scope: string;
  /** Hash of the request's body. */
  readonly request: string;
  /** What a repeat needs to find the first answer. */
  readonly answer: unknown;
  readonly expiresAt: number;
}

/** At most `limit` admissions of `scope` in any `windowMs`. */
export interface Admission {
  readonly scope: string;
  readonly limit: number;
  readonly windowMs: number;
}

/**
 * At most `limit` in the current window of `windowMs`, windows counted from the Unix epoch. One counter, so that a
 * generous quota costs the same however much of it is used; the price is that the edge of two windows admits twice.
 */
export interface Quota {
  readonly scope: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly amount: number;
}

/** A quota's counter: its scope, and the length of its windows. */
export type Meter = Pick<Quota, 'scope' | 'windowMs'>;

/** The scope that has no room, and when it has again. */
export interface Limited {
  readonly outcome: 'limited';
  readonly scope: string;
  readonly windowMs: number;
  readonly retryAfterMs: number;
}

/** Complete files that a message names. Each becomes the session's own, and no other message can name it. */
export interface FileBinding {
  readonly ids: readonly string[];
  /** The visitor who names them must be the one who uploaded them, or null both times. Tenant and agent are the session's. */
  readonly visitor: string | null;
  /** Bytes of all files of the session together, these included. */
  readonly maxSessionBytes: number;
  /** The message was accepted before, and is once more after `forgetIdempotency`: the session may have its files already. */
  readonly again: boolean;
}

/** What a visitor thought of a turn; `rating` null takes it back. */
export interface TurnFeedback {
  readonly turnId: string;
  readonly rating: 'up' | 'down' | null;
  readonly comment: string | null;
  readonly at: number;
}

export interface FeedbackRecord extends TurnFeedback {
  readonly sessionId: string;
  readonly rating: 'up' | 'down';
}

export interface FeedbackQuery {
  readonly agentId: string;
  /** The `next` of an earlier page. */
  readonly after: string | null;
  readonly limit: number;
}

export interface VisitorSession extends Pick<SessionRecord, 'id' | 'status' | 'createdAt' | 'activeAt'> {
  /** The text of the first `message.received`; null before it, and where it is not among the first 50 events. */
  readonly firstMessage: string | null;
}

export interface VisitorQuery extends Pick<SessionRecord, 'tenantId' | 'agentId'> {
  readonly visitor: string;
  /** The `next` of an earlier page. */
  readonly after: string | null;
  readonly limit: number;
}

export interface Acceptance {
  /**
   * The session to open when it does not exist; without it an absent session is `missing`.
   * When its (agentId, conversationScope, conversationId) exists already, that session is used, whatever `sessionId` says.
   */
  readonly open?: Pick<
    SessionRecord,
    'tenantId' | 'agentId' | 'interface' | 'conversationId' | 'conversationScope' | 'visitor' | 'state'
  >;
  readonly sessionId: string;
  /** Who sends it: a session that is another visitor's by now is `missing`. Absent: whoever's it is. */
  readonly visitor?: string | null;
  readonly item: { readonly id: string; readonly body: unknown };
  readonly files: FileBinding | null;
  readonly maxQueued: number;
  readonly admissions: readonly Admission[];
  /** Counted when accepted; one that is used up refuses as `limited`. */
  readonly quotas: readonly Quota[];
  /**
   * A quota that the item takes its `amount` of in advance. The session holds what its items reserved: for those that
   * wait, and for the one that runs until the commit that lets go of the lease, whether or not `release` succeeds. What
   * it does not hold any more is taken off the counter in the same transaction; a session that ends or is removed
   * holds nothing. A window that is over forgets what was reserved in it.
   */
  readonly reservation?: Quota;
  readonly idempotency: IdempotencyKey | null;
  /** Take the lease in the same transaction, as `claim` does. */
  readonly lease: { readonly owner: string; readonly until: number };
  readonly now: number;
}

export type Accepted =
  /** `claim` is null when somebody runs the session already. `nextIndex` is the log's length at that moment. */
  | { outcome: 'accepted'; sessionId: string; nextIndex: number; claim: Claim | null }
  /** The same request was accepted before. */
  | { outcome: 'repeated'; answer: unknown }
  | { outcome: 'conflict' }
  | Limited
  /** A file is unknown, not complete, over its time, named before, or somebody else's. */
  | { outcome: 'file-missing' }
  /** The session's files would have more bytes than it may. */
  | { outcome: 'files-full' }
  | { outcome: 'full' }
  | { outcome: 'missing' }
  /** Completed, failed or reset. */
  | { outcome: 'ended' };

export interface Commit {
  readonly events: readonly NewEvent[];
  readonly state?: unknown;
  readonly history?: readonly HistoryEntry[];
  /** Turns that no longer count: the history they have before this commit is dropped, their events stay. */
  readonly withdraw?: readonly number[];
  /** Results to keep until a commit names their calls in `dropResults`; a call gets one. */
  readonly results?: readonly CallResult[];
  /** Ids of calls whose results are removed, those that this commit adds included. */
  readonly dropResults?: readonly string[];
  /** Queue positions this commit has dealt with. */
  readonly consume?: readonly number[];
  readonly status?: SessionStatus;
  /** Counted whether or not there is room: what was used is used. */
  readonly spend?: readonly Omit<Quota, 'limit'>[];
  /** The counter that the commit answers as `used`: as it stands after the commit, without what the session itself holds. */
  readonly meter?: Meter;
  /** From when on `abandoned` names the session whether or not anything is queued; null: not for that. Absent: as before. */
  readonly wakeAt?: number | null;
  /** Let go of the lease in the same transaction, as `release` does. */
  readonly release?: boolean;
  readonly now: number;
}

export interface CommitResult {
  readonly firstIndex: number;
  readonly released: boolean;
  /** With `meter` only. */
  readonly used?: number;
}

/**
 * Conversations and settings, durable. Two engines implement it; `contract.ts` holds both to what is written here.
 * Every write resolves after its commit is on disk, and is whole or absent. A write that the engine could not make
 * rejects with `StoreUnavailable` and leaves nothing behind; the next one may succeed. What was removed is in no file
 * of the engine two seconds later, or two seconds after the last reader outside this process that still sees it.
 */
export interface Store {
  readonly settings: SettingsStore;
  readonly files: FileStore;

  /**
   * Opens the session if asked, binds the files, queues the item and takes the lease: all or nothing. What can refuse is
   * asked in this order: idempotency (a repeat is answered whatever else holds), the session, its queue, admissions,
   * quotas and the reservation, files. A refusal writes nothing, counts nowhere and is not remembered; what is asked and
   * what is counted is one step, so that of many at once no more are accepted than there is room for.
   */
  accept(acceptance: Acceptance): Promise<Accepted>;

  /** Drops what is remembered of a request, so that the same one is accepted once more: for a turn that failed. */
  forgetIdempotency(scope: string): Promise<void>;

  /**
   * Takes the lease of an open session whose lease is free or, of another owner, over. Null when somebody holds it.
   * An owner never takes a session from itself: what it holds stays as claimed, whatever `now` says.
   */
  claim(sessionId: string, lease: { owner: string; until: number; now: number }): Promise<Claim | null>;

  /**
   * Open sessions that `owner` may take over, oldest activity first: a lease of another that ran out without
   * `release`, queued items that nobody holds, or `wakeAt` has come.
   */
  abandoned(query: { owner: string; now: number; limit: number }): Promise<readonly string[]>;

  /** Lets every lease run out at once, so that `abandoned` names what was held: for an engine whose file has one owner, at start. */
  expireAll(): Promise<void>;

  /** Prolongs the leases that `owner` still holds. */
  renew(owner: string, until: number): Promise<void>;

  /**
   * Appends events at dense indexes, and with them state, history, consumed items and status, in one transaction.
   * Rejects with `EventTooLarge`, writing nothing, when the data of an event takes more than `maxEventBytes` as JSON,
   * and with `Fenced`, writing nothing, when the claim's epoch is no longer current, or the claim was released.
   * A status other than `open` lets go of the lease, drops the queue and clears `wakeAt` in the same transaction.
   */
  commit(claim: Claim, commit: Commit): Promise<CommitResult>;

  /**
   * Lets go of the lease unless an item is queued. False when one is: the caller keeps the lease and goes on.
   * Also false, and harmless, when the claim is no longer current.
   */
  release(claim: Claim): Promise<boolean>;

  /** The quota's counter, without the amount that the session itself has reserved of it. */
  used(sessionId: string, meter: Meter, now: number): Promise<number>;

  session(id: string): Promise<SessionRecord | null>;
  /** The conversation of this id in this scope; the same id in any other scope is not found. */
  conversation(agentId: string, scope: string, conversationId: string): Promise<SessionRecord | null>;
  /** The items that wait, in order: the first at least, and those after it as far as `maxPageBytes` go. */
  queue(sessionId: string): Promise<readonly QueuedItem[]>;
  /**
   * What the model has been told and has said in the turns after `afterTurn`, in the order it was added, withdrawn turns
   * left out. What came before is not read. A page has at most `maxPageBytes` of messages, or one message that alone
   * has more; `next` is null with the last.
   */
  history(sessionId: string, query: HistoryQuery): Promise<HistoryPage>;
  /**
   * Events from `from` on: at most `limit` of them, and of their data at most `maxPageBytes`, but one at least while
   * there are any. Any two reads of a session are prefixes of one another.
   */
  read(sessionId: string, from: number, limit: number): Promise<EventPage>;
  /** The index of the last `step.started` at or before `index`, or 0: where cumulative text begins. */
  stepStart(sessionId: string, index: number): Promise<number>;
  /** The `input.requested` events before index `before`, newest first, at most `limit`, found without reading the log between them. */
  inputRequests(sessionId: string, before: number, limit: number): Promise<readonly StoredEvent[]>;
  /** The result kept for a call, or null. */
  callResult(sessionId: string, callId: string): Promise<unknown>;

  /**
   * Ends an open session that nobody runs: `events` are appended, the status set, the queue dropped and `wakeAt`
   * cleared, in one transaction. False when it was not open or is held.
   */
  end(
    sessionId: string,
    change: { events: readonly NewEvent[]; status: SessionStatus; now: number },
  ): Promise<boolean>;
  /** Open sessions of an agent (or of all) without activity since `before`. */
  idle(query: { agentId?: string; before: number; limit: number }): Promise<readonly string[]>;
  /** Sessions that are not open, of an agent or (null) of agents that are gone, last touched before `before`. */
  ended(query: { agentId: string | null; before: number; limit: number }): Promise<readonly string[]>;
  /** Binds a session to a visitor for good. False when it belongs to another already, or does not exist. */
  bind(sessionId: string, visitor: string): Promise<boolean>;
  /**
   * The sessions of one visitor, newest first; those that were reset are left out. At most `limit`, and fewer where
   * their first messages would take more than `maxPageBytes`.
   */
  visitorSessions(query: VisitorQuery): Promise<Page<VisitorSession>>;

  /** The window learned of the agent's model; null when none was, it was another model's, or it has expired. */
  contextWindow(query: { agentId: string; modelId: string; now: number }): Promise<number | null>;
  /** Keeps it in place of what was known of the agent's model before; it goes with the agent, and without one nothing is kept. */
  learnContextWindow(window: ContextWindow): Promise<void>;

  /** Keeps what was thought of a turn, in place of what was kept before. False when there is no such session. */
  rate(sessionId: string, feedback: TurnFeedback): Promise<boolean>;
  /** What was thought of an agent's turns, in the order in which it was first said. */
  feedback(query: FeedbackQuery): Promise<Page<FeedbackRecord>>;

  /**
   * Removes the session with its lease, events, history, call results, queue, files, feedback and idempotency rows. From
   * the first moment on nobody meets any of it; its rows go page by page, other work in between, and when this resolves
   * all are gone. What is left of it when the process dies is removed after the next start.
   */
  remove(sessionId: string): Promise<boolean>;

  /** Throws `StoreUnavailable` when nothing can be written. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
