import type { SessionCommandRecord } from './command-store.ts';
import type { IdempotencyKey } from './idempotency-store.ts';
import type { Lease, LeaseRequest } from './lease-store.ts';
import type { Limited, Quota, RateLimit } from './limit-store.ts';
import type { SessionRecord } from './session-store.ts';

/** Something accepted that waits for its turn: a message, answers, or a control. */
export interface QueueItem {
  readonly id: string;
  /** Position in the session's queue; FIFO. */
  readonly position: number;
  readonly body: unknown;
  readonly acceptedAt: number;
  /** The length of the log when it was accepted; null for items of versions that did not keep it. */
  readonly acceptedIndex: number | null;
}

/** Complete files that a message names. Each becomes the session's own, and no other message can name it. */
export interface FileBinding {
  readonly ids: readonly string[];
  /** The visitor who names them must be the one who uploaded them, or null both times. Tenant and agent are the session's. */
  readonly visitor: string | null;
  /** Bytes of all files of the session together, these included. */
  readonly maxSessionBytes: number;
  /** The message was accepted before, and is once more after `deleteIdempotencyKey`: the session may have its files already. */
  readonly again: boolean;
}

export interface EnqueueRequest {
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
  readonly rateLimits: readonly RateLimit[];
  /** Counted when accepted; when one is used up the outcome is `limited`. */
  readonly quotas: readonly Quota[];
  /**
   * A quota that the item takes its `amount` of in advance. The session holds what its items reserved: for those that
   * wait, and for the one that runs until the commit that lets go of the lease, whether or not `releaseLease` succeeds. What
   * it does not hold any more is taken off the counter in the same transaction; a session that ends or is removed
   * holds nothing. A window that is over forgets what was reserved in it.
   */
  readonly reservation?: Quota;
  readonly idempotency: IdempotencyKey | null;
  /** Take the lease in the same transaction, as `acquireLease` does. Null: the caller runs no turns, and takes none. */
  readonly lease: LeaseRequest | null;
  /**
   * Told of `leased` before the promise resolves, and after the call has returned it: on an engine that writes its own
   * log, while the acceptance is still on its way to the disk. What is written with the lease is on disk no earlier;
   * whatever else others could notice has to wait for the promise. It must not throw.
   */
  readonly onLeased?: (leased: LeasedSession) => void;
}

/** What whoever got the lease begins with, as the transaction that gave it left it: nothing of it has to be read again. */
export interface LeasedSession {
  readonly lease: Lease;
  readonly session: SessionRecord;
  /** The first item that waits: the one just accepted, unless an earlier owner left others. */
  readonly item: QueueItem;
  /** What an earlier owner has not executed. */
  readonly commands: readonly SessionCommandRecord[];
}

export type EnqueueResult =
  /** `leased` is null when somebody runs the session already, or no lease was asked for. `nextIndex` is the log's length at that moment. */
  | { outcome: 'accepted'; sessionId: string; nextIndex: number; leased: LeasedSession | null }
  /** The same request was accepted before. */
  | { outcome: 'repeated'; result: unknown }
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

export interface QueueStore {
  /**
   * Opens the session if asked, binds the files, queues the item and takes the lease: all or nothing. What can reject is
   * asked in this order: idempotency (a repeat is answered whatever else holds), the session, its queue, rate limits,
   * quotas and the reservation, files. A rejection writes nothing, counts nowhere and is not remembered; what is asked and
   * what is counted is one step, so that of many at once no more are accepted than there is room for.
   */
  enqueue(request: EnqueueRequest): Promise<EnqueueResult>;

  /**
   * The items that wait, in order: the first at least, and those after it as far as `maxPageBytes` go. With a kind, those
   * of it alone, however much stands between them; the kind of an item is the `kind` that its body begins with.
   */
  listQueue(sessionId: string, kind?: string): Promise<readonly QueueItem[]>;

  /** Whether the item waits, however much stands before it. */
  isQueued(sessionId: string, itemId: string): Promise<boolean>;

  /**
   * The first item of the first of these kinds that any is of, else the first of all; null when none waits. What stands
   * before it is not read.
   */
  nextItem(sessionId: string, kinds: readonly string[]): Promise<QueueItem | null>;
}
