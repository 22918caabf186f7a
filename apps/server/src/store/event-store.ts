import type { SessionEvent } from '@parley/protocol/event';
import type { NewApprovalMail } from './approval-mail-store.ts';
import type { AuditRecord } from './audit-store.ts';
import type { FinishedCommand } from './command-store.ts';
import type { HistoryEntry } from './history-store.ts';
import type { ThreadChange } from './inbox-store.ts';
import type { Lease } from './lease-store.ts';
import type { Meter, Quota } from './limit-store.ts';
import type { SessionStatus } from './session-status.ts';
import type { TurnEnd, TurnStart } from './turn-store.ts';
import type { NewDelivery } from './webhook-store.ts';

/** An event as stored: no cumulative text, no continuation token. */
export interface StoredEvent {
  readonly index: number;
  readonly event: SessionEvent;
  /** The tool behind it is shown to publishable-key readers by name and state only. */
  readonly concealed: boolean;
  /** The queued item that began this turn, or that a member sent; on `turn.started`, `team.joined` and `team.left` only. */
  readonly itemId: string | null;
}

export interface NewEvent extends Omit<StoredEvent, 'index'> {
  /** The turn that begins with it: on `turn.started`. */
  readonly turn?: TurnStart;
}

/** A page of a session's log. */
export interface EventPage {
  readonly events: readonly StoredEvent[];
  /** The index to go on from, or null when the log ends here for now. */
  readonly next: number | null;
}

/** The result of a tool call whose step is open, as JSON. */
export interface CallResult {
  readonly callId: string;
  readonly result: unknown;
}

export interface Commit {
  readonly events: readonly NewEvent[];
  readonly state?: unknown;
  readonly history?: readonly HistoryEntry[];
  /** Turns that no longer count: the history they have before this commit is dropped, their events stay. */
  readonly retract?: readonly number[];
  /** Results to keep until a commit names their calls in `dropResults`; a call gets one. */
  readonly results?: readonly CallResult[];
  /** Ids of calls whose results are removed, those that this commit adds included. */
  readonly dropResults?: readonly string[];
  /** Turns that end with this commit. */
  readonly endTurns?: readonly TurnEnd[];
  /** Turns that waited and do no more: they are completed. */
  readonly settleTurns?: readonly number[];
  /** Queue positions this commit has dealt with. */
  readonly consume?: readonly number[];
  readonly status?: SessionStatus;
  /** Counted whether or not there is room: what was used is used. */
  readonly spend?: readonly Omit<Quota, 'limit'>[];
  /** The counter that the commit answers as `used`: as it stands after the commit, without what the session itself holds. */
  readonly meter?: Meter;
  /** Unix milliseconds from when on `listRunnable` names the session whether or not anything is queued; null: not for that. Absent: as before. */
  readonly wakeAt?: number | null;
  /** Who answers from now on, and whether the visitor waits for them. */
  readonly thread?: ThreadChange;
  /** What webhooks are told of it. */
  readonly deliveries?: readonly NewDelivery[];
  /** Who is to be written to of what it asks. */
  readonly approvalMails?: readonly NewApprovalMail[];
  /** What members have done with it, for the log of changes. */
  readonly audit?: readonly AuditRecord[];
  /** Commands of the session this commit has executed. */
  readonly commands?: readonly FinishedCommand[];
  /** Let go of the lease in the same transaction, as `releaseLease` does. */
  readonly release?: boolean;
}

export interface CommitResult {
  readonly firstIndex: number;
  readonly released: boolean;
  /** With `meter` only. */
  readonly used?: number;
}

export interface EventStore {
  /**
   * Appends events at dense indexes, and with them state, history, turns, consumed items and status, in one transaction.
   * Rejects with `EventTooLargeError`, writing nothing, when the data of an event takes more than `maxEventBytes` as JSON,
   * and with `LeaseLostError`, writing nothing, when the lease's epoch is no longer current, or the lease was released.
   * A status other than `open` lets go of the lease, drops the queue, finishes what commands still wait as
   * `session-ended`, clears `wakeAt` and cancels the turns that still run or wait, in the same transaction.
   */
  commit(lease: Lease, commit: Commit): Promise<CommitResult>;

  /**
   * Events from `from` on: at most `limit` of them, and of their data at most `maxPageBytes`, but one at least while
   * there are any. Any two reads of a session are prefixes of one another.
   */
  readEvents(sessionId: string, from: number, limit: number): Promise<EventPage>;

  /** The index of the last `step.started` at or before `index`, or 0: where cumulative text begins. */
  stepStartIndex(sessionId: string, index: number): Promise<number>;

  /** The `input.requested` events before index `before`, newest first, at most `limit`, found without reading the log between them. */
  listInputRequests(sessionId: string, before: number, limit: number): Promise<readonly StoredEvent[]>;

  /** The result kept for a call, or null. */
  getCallResult(sessionId: string, callId: string): Promise<unknown>;
}
