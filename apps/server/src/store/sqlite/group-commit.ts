import type { DatabaseSync } from 'node:sqlite';
import { StoreUnavailableError } from '../store-error.ts';
import { createCheckpointer, type CheckpointEvents } from './checkpointer.ts';
import { isEngineFailure, isFailedSync, unavailable } from './engine-failure.ts';
import { createLogSync, type LogSync } from './log-sync.ts';

export interface GroupCommit {
  /**
   * Runs `work` in the transaction shared by all writes requested in this turn of the event loop or while the transaction
   * before is on its way to the disk, in order of request, and settles once it is on disk. When `work` throws, its own
   * promise alone is rejected, and nothing that it wrote is kept. `onCommitted` is called with the result as soon as later
   * writes see it, while it is still on its way to the disk, and never for a transaction that changed nothing. It must
   * not throw.
   */
  write<T>(work: () => T, onCommitted?: (result: T) => void): Promise<T>;
  /**
   * `write` for work that removes something. What it removed leaves the files, the write-ahead log included, within two
   * seconds, or of the moment when the last reader in another process that still sees it lets go.
   */
  erase<T>(work: () => T): Promise<T>;
  /** Gives back what statements have seen, once all that they can see by now is on disk. Rejects when nobody can say so. */
  onDisk<T>(seen: T): Promise<T>;
  /**
   * Commits what was requested so far; later writes are rejected. What was erased has left the files, unless a reader
   * holds it. False when the disk has lost something: then the connection must not be closed, or the engine copies the log.
   */
  close(): Promise<boolean>;
}

interface Write {
  /** Undoes what it wrote when it throws; `alone`, that is all there is in the transaction. */
  perform(alone: boolean): void;
  committed(): void;
  settle(failure: StoreUnavailableError | null): void;
}

export interface CommitEvents extends CheckpointEvents {
  /** The disk has not taken a transaction for `slowSyncMs`, and everybody who writes waits for it. */
  readonly onSlow: () => void;
  /** Once: nobody knows what reached the disk, and nothing is read or written any more. */
  readonly onLost: (failure: StoreUnavailableError) => void;
}

const slowSyncMs = 5_000;
/**
 * The rest are the next transaction. So many, and what whoever waited for them does then, hold the event loop for 20 to
 * 30 ms; 200 messages that are accepted at once, and their turns begun, would for 80 to 110.
 */
const maxWrites = 50;
/** Of large ones fewer: fifty of 250 kB would be 100 ms. */
const longestMs = 10;

export function groupCommit(
  connection: DatabaseSync,
  events: CommitEvents,
  logSync: LogSync = createLogSync(connection),
): GroupCommit {
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  const rollback = connection.prepare('ROLLBACK');
  const beginOne = connection.prepare('SAVEPOINT write_of_one');
  const keepOne = connection.prepare('RELEASE write_of_one');
  const dropOne = connection.prepare('ROLLBACK TO write_of_one');
  const countChanges = connection.prepare('SELECT total_changes() AS changes');

  const pending: Write[] = [];
  /** Ends when what was committed last is on disk; null when all of it is. */
  let syncing: Promise<void> | null = null;
  let lost: StoreUnavailableError | null = null;
  let closed = false;
  let erased = false;
  let changes = 0;
  const checkpoints = createCheckpointer(connection, {
    ...events,
    onFailure(error) {
      if (isFailedSync(error)) lose(unavailable(error));
      else events.onFailure(error);
    },
  });

  function lose(failure: StoreUnavailableError): void {
    if (lost !== null) return;
    lost = failure;
    events.onLost(failure);
  }

  /** As many as there is time for, and at least one; the rest are taken out and wait again. */
  function perform(writes: Write[]): void {
    const end = performance.now() + longestMs;
    const alone = writes.length === 1;
    for (const [index, write] of writes.entries()) {
      if (index > 0 && performance.now() > end) return void pending.unshift(...writes.splice(index));
      write.perform(alone);
    }
  }

  function transact(writes: Write[]): StoreUnavailableError | null {
    if (lost !== null) return lost;
    try {
      begin.run();
      perform(writes);
      if (connection.isTransaction) commit.run();
    } catch (error) {
      const failure = unavailable(error);
      try {
        if (connection.isTransaction) rollback.run();
        if (isFailedSync(error)) halt(failure);
      } catch (cause) {
        halt(unavailable(cause));
      }
      return failure;
    }
    checkpoints.committed(erased);
    erased = false;
    return null;
  }

  function halt(failure: StoreUnavailableError): void {
    checkpoints.halt();
    lose(failure);
  }

  function hasChanged(): boolean {
    const before = changes;
    changes = Number(countChanges.get()?.['changes']);
    return changes !== before;
  }

  function flush(): void {
    if (pending.length === 0 || syncing !== null) return;
    const writes = pending.splice(0, maxWrites);
    const failure = transact(writes);
    if (failure !== null || !hasChanged()) return settleAll(writes, failure);
    syncing = settleOnDisk(writes);
    for (const write of writes) write.committed();
  }

  async function settleOnDisk(writes: readonly Write[]): Promise<void> {
    const slow = setTimeout(events.onSlow, slowSyncMs).unref();
    try {
      await logSync.sync();
    } catch (error) {
      halt(unavailable(error));
    }
    clearTimeout(slow);
    syncing = null;
    settleAll(writes, lost);
  }

  function settleAll(writes: readonly Write[], failure: StoreUnavailableError | null): void {
    for (const write of writes) write.settle(failure);
    if (pending.length > 0) setImmediate(flush);
  }

  function write<T>(work: () => T, onCommitted?: (result: T) => void): Promise<T> {
    if (closed) return Promise.reject(new StoreUnavailableError('The store is closed'));
    if (lost !== null) return Promise.reject(lost);
    return new Promise<T>((resolve, reject) => {
      let committed: () => void = () => {};
      let settle: () => void = () => {};
      if (pending.length === 0 && syncing === null) setImmediate(flush);
      pending.push({
        perform(alone) {
          if (!alone) beginOne.run();
          try {
            const result = work();
            committed = () => onCommitted?.(result);
            settle = () => resolve(result);
          } catch (error) {
            if (isEngineFailure(error) || !connection.isTransaction) throw error;
            (alone ? rollback : dropOne).run();
            settle = () => reject(error);
          }
          if (!alone) keepOne.run();
        },
        committed: () => committed(),
        settle: (failure) => (failure === null ? settle() : reject(failure)),
      });
    });
  }

  return {
    write,
    erase: (work) =>
      write(() => {
        const result = work();
        erased = true;
        return result;
      }),
    async onDisk(seen) {
      await syncing;
      if (lost !== null) throw lost;
      return seen;
    },
    async close() {
      closed = true;
      while (pending.length > 0 || syncing !== null) {
        await syncing;
        flush();
      }
      await checkpoints.close();
      logSync.close();
      return lost === null;
    },
  };
}
