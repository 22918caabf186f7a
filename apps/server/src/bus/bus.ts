import type { StoredEvent } from '../store/event-store.ts';

/** Events were appended to a session's log. */
export interface SessionAppended {
  readonly topic: 'sessionAppended';
  readonly sessionId: string;
  /** The index of the first event appended. */
  readonly firstIndex: number;
  /** The events from `firstIndex` on, in order. Empty: they have to be read from the log. */
  readonly events: readonly StoredEvent[];
}

/** A command for the session was stored, for the process that holds its lease, or was executed, which its sender waits for. */
export interface SessionCommand {
  readonly topic: 'sessionCommand';
  readonly sessionId: string;
  readonly state: 'sent' | 'finished';
}

/** An item was queued by a process that runs no turns: if nobody holds the session, one that does takes it. */
export interface SessionQueued {
  readonly topic: 'sessionQueued';
  readonly sessionId: string;
}

/** The session became a visitor's own: whoever else reads it with a publishable key is to stop. */
export interface SessionAssigned {
  readonly topic: 'sessionAssigned';
  readonly sessionId: string;
  readonly visitor: string;
}

/** A process tells of a Chat turn that somebody reads it there, that nobody does any more, or that its conversation goes on. */
export interface TurnReading {
  readonly topic: 'turnReading';
  readonly sessionId: string;
  /** The item of the queue that becomes, or has become, the turn. */
  readonly itemId: string;
  readonly process: string;
  readonly state: 'read' | 'left' | 'superseded';
}

/** What the team sees of a conversation in its list has changed, or may have. */
export interface ThreadChanged {
  readonly topic: 'threadChanged';
  readonly sessionId: string;
  /** The agent in whose list it was, when it was removed: nobody can ask the store any more. */
  readonly removedFrom?: string;
}

export const settingsKinds = [
  'tenant',
  'agent',
  'key',
  'tool',
  'source',
  'connection',
  'sign-in',
  'webhook',
] as const;

/** A settings record was stored, changed or removed: whoever keeps something of it reads it again. */
export interface SettingsChanged {
  readonly topic: 'settingsChanged';
  readonly kind: (typeof settingsKinds)[number];
  readonly id: string;
  /** Null when it is not known any more. */
  readonly tenantId: string | null;
}

export type BusMessage =
  | SessionAppended
  | SessionCommand
  | SessionQueued
  | SessionAssigned
  | TurnReading
  | ThreadChanged
  | SettingsChanged;
/** The topics that a process hears as a whole. */
export type BroadcastTopic = Exclude<BusMessage['topic'], 'sessionAppended'>;
export type MessageOf<Topic extends BusMessage['topic']> = Extract<BusMessage, { topic: Topic }>;
/** Runs in the task that brought the message, so it is short. What it throws is logged. */
export type Subscriber<Message> = (message: Message) => void;
export type Unsubscribe = () => void;

/**
 * Tells every process of an installation what has just been stored, so that none has to poll for it. The store stays
 * the truth: a message says where to look.
 *
 * - A message is delivered at most once to each subscriber. Subscribers of the publishing process have it when
 *   `publish` returns, those of other processes some milliseconds later.
 * - Messages that one process publishes arrive in the order of their publication. Between processes there is no order.
 * - Of a large append the events are left out, and the subscriber reads them from the log.
 * - When messages may have been lost, `onGap` says so, at the publisher's end or at the receiver's. A process that dies
 *   between its commit and its publication is not noticed: what must not wait is also looked at from time to time.
 */
export interface Bus {
  /** Whether other processes can be reached at present. */
  readonly connected: boolean;
  /** Returns at once and never throws. What other processes are told leaves after the current task, in one batch. */
  publish(message: BusMessage): void;
  /** Hears of the appends to one session. A process may have any number of these open: messages are matched by id. */
  subscribeSession(sessionId: string, subscriber: Subscriber<SessionAppended>): Unsubscribe;
  subscribe<Topic extends BroadcastTopic>(
    topic: Topic,
    subscriber: Subscriber<MessageOf<Topic>>,
  ): Unsubscribe;
  /** Messages may have been lost: read again whatever depends on them, and drop what was kept. */
  onGap(subscriber: () => void): Unsubscribe;
  /** Sends what is queued, for 1 s at most, and lets go of the connection. Nothing is delivered afterwards. */
  close(): Promise<void>;
}
