import { setImmediate as nextImmediate } from 'node:timers/promises';
import type { Commit, CommitResult, NewEvent, StoredEvent } from '../store/event-store.ts';
import type { Lease } from '../store/lease-store.ts';
import type { Store } from '../store/store.ts';
import type { NewDelivery } from '../store/webhook-store.ts';
import { type Delta, continues, deltaEvent } from './delta.ts';
import { deltaPieces, maxDeltaLength } from './delta-pieces.ts';
import { type Change, mergeChanges } from './merge-changes.ts';
import { type Stamp, stamp } from './new-event.ts';
import { onFlush } from './on-flush.ts';

export interface Appender {
  /** Appends soon: with whatever else comes up in this turn of the event loop, or with the next `commit`. */
  add(...events: NewEvent[]): void;
  /** The same for words that a model has said. Neighbours that belong to one text become one event, as long as it holds them. */
  say(delta: Delta): void;
  /** Appends everything added so far and makes the change, in one transaction. Rejects as `Store.commit` does. */
  commit(change: Change): Promise<AppendResult>;
  /**
   * The same for a change that nothing has to wait for: in one transaction with what else comes up in this turn of
   * the event loop. A failure goes where failures of `add` go.
   */
  commitSoon(change: Change): void;
  /** A write has failed: what the log holds has to be read again. */
  readonly failed: boolean;
}

/** `used` when the change asked for it. */
type AppendResult = Pick<CommitResult, 'released' | 'used'>;

interface Batch {
  readonly events: NewEvent[];
  change: Change;
}

/** What webhooks are told of events. */
export interface Told {
  deliveriesOf(events: readonly NewEvent[]): readonly NewDelivery[];
  /** They are stored. */
  queued(): void;
}

interface Options {
  readonly store: Store;
  readonly lease: Lease;
  /** Nothing is written before it has settled: what comes up until then is one transaction. */
  readonly after?: Promise<unknown> | undefined;
  readonly told?: Told;
  /** Called with what became durable, in order; with nothing when the session has ended without an event. */
  readonly publish: (events: readonly StoredEvent[]) => void;
  /** A write nobody awaits has failed: the log does not hold what the turn believes. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Writes one session's events in order, one transaction at a time. The first delta after another event goes at once; the
 * others wait for the tick, so that one transaction carries those of all sessions. After a write that failed, for
 * whatever reason, every later one fails, too: it would leave a hole in the log, or write once more what is there.
 */
export function createAppender({ store, lease, after, told, publish, onFailure }: Options): Appender {
  let pending: NewEvent[] = [];
  /** The last of what is pending: it grows until something else comes, or a batch takes it. */
  let growing: { readonly delta: Delta; readonly stamp: Stamp; text: string } | null = null;
  let last: Promise<unknown> = Promise.resolve(after).catch(() => undefined);
  /** The newest batch, as long as its write has not begun. */
  let waiting: { readonly batch: Batch; readonly written: Promise<AppendResult> } | null = null;
  let failure: { readonly error: unknown } | null = null;
  let inBlock = false;
  let immediate: NodeJS.Immediate | null = null;
  let leaveTick: (() => void) | null = null;

  async function write({ events, change }: Batch): Promise<AppendResult> {
    if (events.length === 0 && Object.keys(change).length === 0) return { released: false };
    if (failure) throw failure.error;
    const deliveries = told?.deliveriesOf(events) ?? [];
    const { firstIndex, ...written } = await commitOrFail({
      ...change,
      events,
      ...(deliveries.length > 0 && { deliveries }),
    });
    if (deliveries.length > 0) told?.queued();
    // Also what ends without an event changes for whoever has it in a list.
    if (events.length > 0 || change.status !== undefined)
      publish(events.map((event, offset) => ({ ...event, index: firstIndex + offset })));
    return written;
  }

  async function commitOrFail(whole: Commit): ReturnType<Store['commit']> {
    try {
      return await store.commit(lease, whole);
    } catch (error) {
      failure = { error };
      throw error;
    }
  }

  /** Events and the change that belongs to them are taken together: a crash between the two must not be possible. */
  function enqueue(change: Change, begin: Promise<unknown>): Promise<AppendResult> {
    cancelSchedule();
    endDelta();
    const events = pending;
    pending = [];
    if (waiting) {
      waiting.batch.events.push(...events);
      waiting.batch.change = mergeChanges(waiting.batch.change, change);
      return waiting.written;
    }
    const batch: Batch = { events, change };
    const written = begin.then(() => {
      waiting = null;
      return write(batch);
    });
    waiting = { batch, written };
    // Whoever asked for the write has its failure; the next one only waits for it.
    last = written.catch(() => undefined);
    return written;
  }

  function commit(change: Change): Promise<AppendResult> {
    return enqueue(change, last);
  }

  function cancelSchedule(): void {
    if (immediate) clearImmediate(immediate);
    leaveTick?.();
    immediate = leaveTick = null;
  }

  function commitSoon(change: Change): void {
    enqueue(
      change,
      last.then(() => nextImmediate()),
    ).catch(onFailure);
  }

  function flush(): void {
    commit({}).catch(onFailure);
  }

  function schedule(urgent: boolean): void {
    if (immediate || (leaveTick && !urgent)) return;
    cancelSchedule();
    if (urgent) immediate = setImmediate(flush);
    else leaveTick = onFlush(flush);
  }

  function endDelta(): void {
    if (growing) pending.push(deltaEvent(growing.delta, growing.text, growing.stamp));
    growing = null;
  }

  return {
    add(...events) {
      if (events.length === 0) return;
      endDelta();
      pending.push(...events);
      inBlock = false;
      schedule(true);
    },
    say(delta) {
      if (delta.text === '') return;
      for (const text of deltaPieces(delta.text)) {
        if (
          growing &&
          continues(growing.delta, delta) &&
          growing.text.length + text.length <= maxDeltaLength
        ) {
          growing.text += text;
        } else {
          endDelta();
          growing = { delta, stamp: stamp(), text };
        }
      }
      schedule(!inBlock);
      inBlock = true;
    },
    commit,
    commitSoon,
    get failed() {
      return failure !== null;
    },
  };
}
