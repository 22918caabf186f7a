import type { Bus } from '../bus/bus.ts';
import type { Appender } from '../events/appender.ts';
import type { Logger } from '../logger.ts';
import type { StoredEvent } from '../store/event-store.ts';
import type { Lease } from '../store/lease-store.ts';
import type { SessionRecord } from '../store/session-store.ts';
import type { Store } from '../store/store.ts';
import type { Tracer } from '../trace/span.ts';
import type { WebhookOutbox } from '../webhook/webhook-outbox.ts';
import type { AgentRuntime } from './agent-runtime.ts';
import type { Attempts } from './attempts.ts';
import type { CurrentTurn } from './current-turn.ts';
import type { EndRequest } from './end-request.ts';
import type { ReceivedCommands } from './received-commands.ts';

export interface SessionLoopDeps {
  readonly store: Store;
  readonly bus: Bus;
  readonly logger: Logger;
  readonly tracer: Tracer | null;
  /** Null when the agent does not exist any more. */
  readonly resolveAgent: (session: SessionRecord) => Promise<AgentRuntime | null>;
  readonly webhookOutbox: Pick<WebhookOutbox, 'deliveriesOf' | 'queued'>;
  readonly publish: (sessionId: string, events: readonly StoredEvent[]) => void;
  /** Whether somebody reads the item's turn, in any process but this one. */
  readonly isRead: (sessionId: string, itemId: string, butIn: string) => boolean;
}

/** What the parts of a session's loop share. */
export interface SessionWork extends SessionLoopDeps {
  readonly lease: Lease;
  /** Null until it was read, which is before anything is appended. */
  session: SessionRecord | null;
  readonly commands: ReceivedCommands;
  readonly current: CurrentTurn;
  readonly attempts: Attempts;
  readonly end: EndRequest;
  /** A new one after every write that failed. */
  appender: Appender;
}
