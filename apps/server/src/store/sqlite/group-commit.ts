import type { DatabaseSync } from 'node:sqlite';
import { StoreUnavailableError } from '../store-error.ts';
import { createCheckpointer, type CheckpointEvents } from './checkpointer.ts';
import { isEngineFailure, isFailedSync, unavailable } from './engine-failure.ts';
import { createLogSync, type LogSync } from './log-sync.ts';

export interface GroupCommit {
  /**
   * Runs `work` in the transaction shared by all writes requested in this turn of the event loop or while the transaction
   * before is on its way to the disk, in order of request, and settles once it is on disk. When `work` throws, its own
   * promise alone is rejected, and nothing that it wrote is kept.
   */
  write<T>(work: () => T): Promise<T>;
  /**
   * `write` for work that removes something. What it removed leaves the files, the write-ahead log included, within two
   * seconds, or of the moment when the last reader in another process that still sees it lets go.
   */
  erase<T>(work: () => T): Promise<T>;
  /** Ends once all that a statement of this connection can see by now is on disk. Rejects when nobody can say so. */
  onDisk(): Promise<void>;
  /** Commits what was requested so far; later writes are rejected. What was erased has left the files, unless a reader holds it. */
  close(): Promise<void>;
}

interface Write {
  /** Undoes what it wrote when it throws; `alone`, that is all there is in the transaction. */
  perform(alone: boolean): void;
  settle(failure: StoreUnavailableError | null): void;
}

/** So many take about 50 ms; the rest are the next transaction. */
const maxWrites = 500;

export function groupCommit(
  connection: DatabaseSync,
  events: CheckpointEvents,
  logSync: LogSync = createLogSync(connection),
): GroupCommit {
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  const rollback = connection.prepare('ROLLBACK');
  const beginOne = connection.prepare('SAVEPOINT write_of_one');
  const keepOne = connection.prepare('RELEASE write_of_one');
  const dropOne = connection.prepare('ROLLBACK TO write_of_one');
  const countChanges = connection.prepare('SELECT total_changes() AS changes');

  let pending: Write[] = [];
  /** Ends when what was committed last is on disk; null when all of it is. */
  let syncing: Promise<void> | null = null;
  let syncFailure: StoreUnavailableError | null = null;
  let rejection: StoreUnavailableError | null = null;
  let closed = false;
  let erased = false;
  let changes = 0;
  const checkpoints = createCheckpointer(connection, {
    ...events,
    onFailure(error) {
      if (isFailedSync(error)) giveUp(unavailable(error));
      events.onFailure(error);
    },
  });

  /** Another fsync would succeed, whatever is on the disk (https://wiki.postgresql.org/wiki/Fsync_Errors). */
  function giveUp(failure: StoreUnavailableError): void {
    rejection ??= failure;
    checkpoints.halt();
  }

  function transact(writes: readonly Write[]): StoreUnavailableError | null {
    if (rejection !== null) return rejection;
    try {
      begin.run();
      const alone = writes.length === 1;
      for (const write of writes) write.perform(alone);
      if (connection.isTransaction) commit.run();
    } catch (error) {
      const failure = unavailable(error);
      if (isFailedSync(error)) giveUp(failure);
      try {
        if (connection.isTransaction) rollback.run();
      } catch (cause) {
        rejection = unavailable(cause);
      }
      return failure;
    }
    checkpoints.committed(erased);
    erased = false;
    return null;
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
    if (failure === null && hasChanged()) syncing = settleOnDisk(writes);
    else settle(writes, failure);
  }

  async function settleOnDisk(writes: readonly Write[]): Promise<void> {
    try {
      await logSync.sync();
    } catch (error) {
      syncFailure = unavailable(error);
      giveUp(syncFailure);
    }
    syncing = null;
    settle(writes, syncFailure);
  }

  function settle(writes: readonly Write[], failure: StoreUnavailableError | null): void {
    for (const write of writes) write.settle(failure);
    if (pending.length > 0) setImmediate(flush);
  }

  function write<T>(work: () => T): Promise<T> {
    if (closed) return Promise.reject(new StoreUnavailableError('The store is closed'));
    if (rejection !== null) return Promise.reject(rejection);
    return new Promise<T>((resolve, reject) => {
      let settle: () => void = () => {};
      if (pending.length === 0 && syncing === null) setImmediate(flush);
      pending.push({
        perform(alone) {
          if (!alone) beginOne.run();
          try {
            const result = work();
            settle = () => resolve(result);
          } catch (error) {
            if (isEngineFailure(error) || !connection.isTransaction) throw error;
            (alone ? rollback : dropOne).run();
            settle = () => reject(error);
          }
          if (!alone) keepOne.run();
        },
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
    async onDisk() {
      await syncing;
      if (syncFailure !== null) throw syncFailure;
    },
    async close() {
      closed = true;
      while (pending.length > 0 || syncing !== null) {
        await syncing;
        flush();
      }
      await checkpoints.close();
      logSync.close();
    },
  };
}
