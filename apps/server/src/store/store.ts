import type { AppointmentStore } from './appointment-store.ts';
import type { ApprovalMailStore } from './approval-mail-store.ts';
import type { CommandStore } from './command-store.ts';
import type { ContextWindowStore } from './context-window-store.ts';
import type { ContactStore } from './contact-store.ts';
import type { ConversationStore } from './conversation-store.ts';
import type { EventStore } from './event-store.ts';
import type { FeedbackStore } from './feedback-store.ts';
import type { FileStore } from './file-store.ts';
import type { HistoryStore } from './history-store.ts';
import type { IdempotencyStore } from './idempotency-store.ts';
import type { InboxStore } from './inbox-store.ts';
import type { KnowledgeStore } from './knowledge-store.ts';
import type { LeaseStore } from './lease-store.ts';
import type { LimitStore } from './limit-store.ts';
import type { MessageStore } from './message-store.ts';
import type { PresenceStore } from './presence-store.ts';
import type { QuestionStore } from './question-store.ts';
import type { QueueStore } from './queue-store.ts';
import type { ReadyMailStore } from './ready-mail-store.ts';
import type { SessionStore } from './session-store.ts';
import type { SettingsStore } from './settings-store.ts';
import type { TransferStore } from './transfer-store.ts';
import type { TurnStore } from './turn-store.ts';
import type { UsageStore } from './usage-store.ts';
import type { VisitorStore } from './visitor-store.ts';
import type { WebhookStore } from './webhook-store.ts';

/**
 * Conversations and settings, durable. Two engines implement it; `contract.ts` holds both to what is written here.
 * Every write resolves after its commit is on disk, and is whole or absent. A write that the engine could not make
 * rejects with `StoreUnavailableError` and leaves nothing behind; the next one may succeed. Where an engine is reached over
 * a network and the answer is lost, or the disk itself fails, the write may have been made, whole: whoever goes on reads
 * what is stored. What reads of sessions, events and settings answer is on disk, too.
 * What times are compared with is the store's own clock, one for all processes: leases, windows and expiries are durations.
 */
export interface Store
  extends
    SessionStore,
    EventStore,
    QueueStore,
    LeaseStore,
    CommandStore,
    LimitStore,
    IdempotencyStore,
    HistoryStore,
    TurnStore,
    ConversationStore,
    UsageStore,
    VisitorStore,
    FeedbackStore,
    QuestionStore,
    InboxStore,
    PresenceStore,
    MessageStore,
    AppointmentStore,
    ContactStore,
    ApprovalMailStore,
    TransferStore,
    ReadyMailStore,
    WebhookStore,
    ContextWindowStore {
  readonly settings: SettingsStore;
  readonly files: FileStore;
  readonly knowledge: KnowledgeStore;

  /** Throws `StoreUnavailableError` when nothing can be written. */
  ping(): Promise<void>;

  close(): Promise<void>;
}
