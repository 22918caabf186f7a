import type { SessionEventType } from '@parley/protocol/event';
import type { Logger } from 'pino';
import type { Bus, Unsubscribe } from '../bus/bus.ts';
import { Recheck } from '../bus/recheck.ts';
import type { StoredEvent } from '../store/event-store.ts';
import type { SessionStore } from '../store/session-store.ts';
import { RecentEvents } from './recent-events.ts';

export interface Listener {
  /** Every event appended from now on, in batches, in order; an empty batch says that the log must be read. Must not throw. */
  appended(events: readonly StoredEvent[]): void;
  /** How long the log is, as the store says every few seconds; null when the session is gone. Must not throw. */
  checked(length: number | null): void;
}

/** How late a follower may be when a message was lost. */
const recheckMs = 5_000;

/** What changes how a conversation stands in a list: who wrote last, who answers, for whom it waits, and whether it has ended. */
const listed: ReadonlySet<SessionEventType> = new Set([
  'turn.started',
  'session.waiting',
  'session.failed',
  'session.completed',
  'team.joined',
  'team.left',
  'approval.delegated',
] as const);

interface EventBusDeps {
  readonly bus: Bus;
  readonly store: Pick<SessionStore, 'listSessionHeads'>;
  readonly logger: Logger;
}

/** Tells the followers of a log what has become durable, in whatever process. Whoever missed more than it remembers reads the log. */
export class EventBus {
  readonly #bus: Bus;
  readonly #store: EventBusDeps['store'];
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #recheck: Recheck;
  /** Sessions whose recent events are kept, each with what ends that it hears of them. */
  readonly #remembered = new Map<string, Unsubscribe>();
  readonly #recent = new RecentEvents((sessionId) => {
    this.#remembered.get(sessionId)?.();
    this.#remembered.delete(sessionId);
  });

  constructor({ bus, store, logger }: EventBusDeps) {
    this.#bus = bus;
    this.#store = store;
    this.#recheck = new Recheck({
      bus,
      roundMs: recheckMs,
      ids: () => this.#listeners.keys(),
      check: (ids) => this.#check(ids),
      onError: (err) => logger.warn({ err }, 'what may have been missed could not be looked up'),
    });
  }

  /** From index `from` on, this process hears of whatever is appended. */
  remember(sessionId: string, from: number): void {
    this.#recent.begin(sessionId, from);
    const unsubscribe = this.#bus.subscribeSession(sessionId, ({ events }) => {
      if (events.length === 0) this.#recent.drop(sessionId);
      else this.#recent.add(sessionId, events);
    });
    this.#remembered.set(sessionId, unsubscribe);
  }

  /** Its first reader has joined, or nobody is to read the session any more. */
  forget(sessionId: string): void {
    this.#recent.drop(sessionId);
  }

  /** The events from the index on, without asking the store; null when only the store knows. */
  recent(sessionId: string, index: number): readonly StoredEvent[] | null {
    return this.#recent.since(sessionId, index);
  }

  /** Without events it says that something was appended, or that the session has ended, and not what. */
  publish(sessionId: string, events: readonly StoredEvent[]): void {
    this.#bus.publish({ topic: 'sessionAppended', sessionId, firstIndex: events[0]?.index ?? 0, events });
    if (events.length === 0 || events.some(({ event }) => listed.has(event.type)))
      this.#bus.publish({ topic: 'threadChanged', sessionId });
  }

  /** Returns the function that stops it. */
  listen(sessionId: string, listener: Listener): Unsubscribe {
    const listeners = this.#listeners.get(sessionId) ?? new Set();
    this.#listeners.set(sessionId, listeners.add(listener));
    const unsubscribe = this.#bus.subscribeSession(sessionId, ({ events }) => listener.appended(events));
    return () => {
      unsubscribe();
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(sessionId) === listeners)
        this.#listeners.delete(sessionId);
    };
  }

  close(): void {
    this.#recheck.stop();
  }

  async #check(ids: readonly string[]): Promise<void> {
    const heads = await this.#store.listSessionHeads(ids);
    const lengths = new Map(heads.map(({ id, nextIndex }) => [id, nextIndex]));
    for (const id of ids) {
      const length = lengths.get(id) ?? null;
      if (length === null || !this.#recent.reaches(id, length)) this.#recent.drop(id);
      for (const listener of this.#listeners.get(id) ?? []) listener.checked(length);
    }
  }
}
