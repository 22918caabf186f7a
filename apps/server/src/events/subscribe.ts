import type { StoredEvent } from '../store/event-store.ts';
import type { Store } from '../store/store.ts';
import type { EventBus } from './event-bus.ts';
import { firstPageTask, nextPageTask } from './next-page-task.ts';

const pageSize = 200;
const inThisTask = () => Promise.resolve();

export interface Subscription {
  /** Goes on reading after the sink was full. */
  resume(): void;
  stop(): void;
}

/** Takes events in order and says how many of them. Fewer than given: full, nothing more comes until `resume`. */
export type EventSink = (events: readonly StoredEvent[]) => number;

/** Somebody removed the session while it was read. */
export class SessionRemovedError extends Error {
  override readonly name = 'SessionRemovedError';
}

/** Events are missing in the middle of the log: nobody can be handed what comes after them. */
class IncompleteLogError extends Error {
  override readonly name = 'IncompleteLogError';
}

/**
 * Hands a session's events from index `from` on to the sink, each exactly once: first what was appended, from memory
 * for the first reader where it is recent and else from the log, then as they are appended. While the sink is full nothing
 * is kept for it.
 */
export function subscribe(
  { store, live }: { store: Pick<Store, 'readEvents'>; live: EventBus },
  sessionId: string,
  from: number,
  sink: EventSink,
  onError: (error: unknown) => void,
): Subscription {
  let cursor = from;
  let mode: 'catching-up' | 'live' | 'full' | 'stopped' = 'live';
  /** The log's length as far as the live side has said. */
  let announced = 0;
  /** Something was appended that the live side did not show. */
  let poked = false;

  const unlisten = live.listen(sessionId, {
    appended(events) {
      const last = events.at(-1);
      if (last) announced = Math.max(announced, last.index + 1);
      else poked = true;
      if (mode !== 'live') return;
      if (last) take(events);
      // A session that was ended is removed in a later task: its last event has to be read in this one.
      else catchUp(inThisTask);
    },
    checked(length) {
      if (length === null) return onError(new SessionRemovedError('The session was removed.'));
      announced = Math.max(announced, length);
      if (mode === 'live' && cursor < length) catchUp(nextPageTask);
    },
  });

  function take(events: readonly StoredEvent[]): void {
    const first = events[0]!.index;
    if (first > cursor) return catchUp(nextPageTask);
    const fresh = first === cursor ? events : events.slice(cursor - first);
    if (fresh.length === 0) return;
    const taken = sink(fresh);
    cursor += taken;
    if (taken < fresh.length && mode !== 'stopped') mode = 'full';
  }

  function catchUp(pageTask: () => Promise<void>): void {
    mode = 'catching-up';
    readPages(pageTask).catch(onError);
  }

  /** False when only the store knows what comes next. */
  function readRecent(): boolean {
    const recent = live.recent(sessionId, cursor);
    if (recent === null) return false;
    // They were kept for whoever comes first; who comes later asks the store.
    live.forget(sessionId);
    mode = 'live';
    if (recent.length > 0) take(recent);
    return true;
  }

  async function readPages(pageTask: () => Promise<void>): Promise<void> {
    // The sink may use the subscription, which the caller does not have before.
    await Promise.resolve();
    if (mode === 'catching-up' && readRecent()) return;
    await pageTask();
    while (mode === 'catching-up') {
      poked = false;
      const known = announced;
      const { events, next } = await store.readEvents(sessionId, cursor, pageSize);
      if (mode !== 'catching-up') return;
      const first = events[0]?.index ?? cursor;
      if (first > cursor)
        throw new IncompleteLogError(`The log goes on at ${first}, where ${cursor} was to come.`);
      // Reading on would never end, and with a store that answers at once it would let nothing else run.
      if (events.length === 0 && cursor < known)
        throw new SessionRemovedError(`The log ends before ${known}: the session was removed.`);
      if (events.length > 0) {
        mode = 'live';
        take(events);
        if (mode !== 'live') return;
        mode = 'catching-up';
      }
      if (next !== null) await nextPageTask();
      else if (cursor >= announced && !poked) {
        mode = 'live';
        return;
      }
    }
  }

  catchUp(firstPageTask);
  return {
    resume() {
      if (mode === 'full') catchUp(nextPageTask);
    },
    stop() {
      mode = 'stopped';
      unlisten();
    },
  };
}
