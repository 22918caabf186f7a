import type {
  BroadcastTopic,
  Bus,
  BusMessage,
  MessageOf,
  SessionAppended,
  Subscriber,
  Unsubscribe,
} from './bus.ts';

/** The bus inside one process. Alone it serves an installation of one process; other implementations deliver through it. */
export class LocalBus implements Bus {
  readonly connected = true;
  readonly #bySession = new Map<string, Set<Subscriber<SessionAppended>>>();
  readonly #byTopic: { readonly [Topic in BroadcastTopic]: Set<Subscriber<MessageOf<Topic>>> } = {
    sessionCommand: new Set(),
    sessionQueued: new Set(),
    sessionAssigned: new Set(),
    turnReading: new Set(),
    threadChanged: new Set(),
    settingsChanged: new Set(),
  };
  readonly #onGap = new Set<Subscriber<void>>();
  readonly #onError: (error: unknown) => void;

  /** `onError` is told what a subscriber throws. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  publish(message: BusMessage): void {
    switch (message.topic) {
      case 'sessionAppended':
        return this.#deliver(this.#bySession.get(message.sessionId), message);
      case 'sessionCommand':
        return this.#deliver(this.#byTopic.sessionCommand, message);
      case 'sessionQueued':
        return this.#deliver(this.#byTopic.sessionQueued, message);
      case 'sessionAssigned':
        return this.#deliver(this.#byTopic.sessionAssigned, message);
      case 'turnReading':
        return this.#deliver(this.#byTopic.turnReading, message);
      case 'threadChanged':
        return this.#deliver(this.#byTopic.threadChanged, message);
      case 'settingsChanged':
        return this.#deliver(this.#byTopic.settingsChanged, message);
    }
  }

  hasSubscriber(sessionId: string): boolean {
    return this.#bySession.has(sessionId);
  }

  /** Tells the subscribers of `onGap`. */
  announceGap(): void {
    this.#deliver(this.#onGap, undefined);
  }

  subscribeSession(sessionId: string, subscriber: Subscriber<SessionAppended>): Unsubscribe {
    const subscribers = this.#bySession.get(sessionId) ?? new Set();
    this.#bySession.set(sessionId, subscribers.add(subscriber));
    return () => {
      subscribers.delete(subscriber);
      if (subscribers.size === 0 && this.#bySession.get(sessionId) === subscribers)
        this.#bySession.delete(sessionId);
    };
  }

  subscribe<Topic extends BroadcastTopic>(
    topic: Topic,
    subscriber: Subscriber<MessageOf<Topic>>,
  ): Unsubscribe {
    const subscribers = this.#byTopic[topic];
    subscribers.add(subscriber);
    return () => void subscribers.delete(subscriber);
  }

  onGap(subscriber: () => void): Unsubscribe {
    this.#onGap.add(subscriber);
    return () => void this.#onGap.delete(subscriber);
  }

  async close(): Promise<void> {
    this.#bySession.clear();
    for (const subscribers of [...Object.values(this.#byTopic), this.#onGap]) subscribers.clear();
  }

  #deliver<Message>(subscribers: Iterable<Subscriber<Message>> | undefined, message: Message): void {
    for (const subscriber of subscribers ?? []) {
      try {
        subscriber(message);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}
