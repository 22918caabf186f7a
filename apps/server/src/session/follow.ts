import type { Store, StoredEvent } from '../store/store.ts';
import type { LiveLog } from './live-log.ts';
import { firstPageTask, nextPageTask } from './next-page-task.ts';

const pageSize = 200;
const inThisTask = () => Promise.resolve();

export interface Following {
  /** Goes on reading after the sink was full. */
  resume(): void;
  stop(): void;
}

/** Takes events in order and says how many of them. Fewer than given: full, nothing more comes until `resume`. */
export type Sink = (events: readonly StoredEvent[]) => number;

/**
 * Hands a session's events from index `from` on to the sink, each exactly once: first from the log, then as they
 * are appended. While the sink is full nothing is kept for it; it catches up from the log.
 */
export function follow(
  { store, live }: { store: Store; live: LiveLog },
  sessionId: string,
  from: number,
  sink: Sink,
  onError: (error: unknown) => void,
): Following {
  let cursor = from;
  let mode: 'catching-up' | 'live' | 'full' | 'stopped' = 'live';
  /** The log's length as far as the live side has said. */
  let announced = 0;
  /** Something was appended that the live side did not show. */
  let poked = false;

  const unlisten = live.listen(sessionId, (events) => {
    const last = events.at(-1);
    if (last) announced = last.index + 1;
    else poked = true;
    if (mode !== 'live') return;
    if (last) take(events);
    // A session that was ended is removed in a later task: its last event has to be read in this one.
    else catchUp(inThisTask);
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

  async function readPages(pageTask: () => Promise<void>): Promise<void> {
    await pageTask();
    while (mode === 'catching-up') {
      poked = false;
      const { events, next } = await store.read(sessionId, cursor, pageSize);
      if (mode !== 'catching-up') return;
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
