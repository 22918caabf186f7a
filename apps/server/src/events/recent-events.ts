import type { StoredEvent } from '../store/event-store.ts';

/** Kept of one session, and of all together, in characters of what the events say. */
const maxSessionSize = 64 * 1024;
const maxSize = 8 * 1024 * 1024;
/** What an event takes beside its text. */
const eventSize = 256;
/** How long after its last event a session is kept: readers come within a round trip or two, and what is kept longer costs the garbage collector. */
const keptMs = 1_000;

interface Recent {
  /** Everything appended from this index on is among the events. */
  from: number;
  events: StoredEvent[];
  size: number;
  at: number;
}

/** The events that were appended lately to sessions that run here: the first reader that joins a turn in time hears it without asking the store. */
export class RecentEvents {
  /** The session that was appended to longest ago first. */
  readonly #sessions = new Map<string, Recent>();
  readonly #onDrop: (sessionId: string) => void;
  #size = 0;

  /** `onDrop` is told of every session that is not kept any more. */
  constructor(onDrop: (sessionId: string) => void) {
    this.#onDrop = onDrop;
  }

  /** From index `from` on, whatever is appended to the session is told to `add`. */
  begin(sessionId: string, from: number): void {
    this.drop(sessionId);
    this.#keep(sessionId, { from, events: [], size: eventSize, at: performance.now() });
  }

  add(sessionId: string, events: readonly StoredEvent[]): void {
    const known = this.#sessions.get(sessionId);
    if (known === undefined) return;
    let size = known.size;
    for (const event of events) size += sizeOf(event);
    if (events[0]?.index !== endOf(known) || size > maxSessionSize) return this.drop(sessionId);
    this.#remove(sessionId, known);
    known.events.push(...events);
    this.#keep(sessionId, { ...known, size, at: performance.now() });
  }

  /** Something was appended that `add` is not told of, the first reader has joined, or nobody is to read the session any more. */
  drop(sessionId: string): void {
    const known = this.#sessions.get(sessionId);
    if (known === undefined) return;
    this.#remove(sessionId, known);
    this.#onDrop(sessionId);
  }

  /** False when the log is longer than what is known of it here. */
  reaches(sessionId: string, length: number): boolean {
    const known = this.#sessions.get(sessionId);
    return known !== undefined && endOf(known) >= length;
  }

  /** All events from the index on, or null when the store has to be asked. */
  since(sessionId: string, index: number): readonly StoredEvent[] | null {
    const known = this.#sessions.get(sessionId);
    if (known === undefined || index < known.from) return null;
    return known.events.slice(index - known.from);
  }

  #remove(sessionId: string, known: Recent): void {
    this.#sessions.delete(sessionId);
    this.#size -= known.size;
  }

  #keep(sessionId: string, recent: Recent): void {
    this.#sessions.set(sessionId, recent);
    this.#size += recent.size;
    for (const [oldest, { at }] of this.#sessions) {
      if (this.#size <= maxSize && recent.at - at < keptMs) return;
      this.drop(oldest);
    }
  }
}

function endOf({ from, events }: Recent): number {
  return from + events.length;
}

function sizeOf({ event }: StoredEvent): number {
  switch (event.type) {
    case 'message.appended':
      return eventSize + event.data.messageDelta.length;
    case 'reasoning.appended':
      return eventSize + event.data.reasoningDelta.length;
    case 'action.appended':
      return eventSize + event.data.inputDelta.length;
    default:
      return eventSize + ('data' in event ? JSON.stringify(event.data).length : 0);
  }
}
