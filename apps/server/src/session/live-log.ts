import type { StoredEvent } from '../store/store.ts';

/** Gets every event appended from now on, in batches, in order; an empty batch says that the log must be read. Must not throw. */
export type Listener = (events: readonly StoredEvent[]) => void;

/** Tells the followers in this process what has become durable. It keeps nothing: whoever missed something reads the log. */
export class LiveLog {
  readonly #listeners = new Map<string, Set<Listener>>();

  publish(sessionId: string, events: readonly StoredEvent[]): void {
    for (const listener of this.#listeners.get(sessionId) ?? []) listener(events);
  }

  /** Says that something was appended, without saying what. */
  poke(sessionId: string): void {
    this.publish(sessionId, []);
  }

  /** Returns the function that stops it. */
  listen(sessionId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(sessionId) ?? new Set();
    this.#listeners.set(sessionId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(sessionId) === listeners)
        this.#listeners.delete(sessionId);
    };
  }
}
