import type { DatabaseSync } from 'node:sqlite';
import { StoreUnavailableError } from '../store-error.ts';
import { createCheckpointer, type CheckpointEvents } from './checkpointer.ts';
import { isEngineFailure, isFailedSync, unavailable } from './engine-failure.ts';

export interface GroupCommit {
  /**
   * Runs `work` in the transaction shared by all writes requested in this turn of the event loop, in order of request,
   * and settles once it is on disk. When `work` throws, its own promise alone is rejected, and nothing that it wrote is
   * kept.
   */
  write<T>(work: () => T): Promise<T>;
  /**
   * `write` for work that removes something. What it removed leaves the files, the write-ahead log included, within two
   * seconds, or of the moment when the last reader in another process that still sees it lets go.
   */
  erase<T>(work: () => T): Promise<T>;
  /** Commits what was requested so far; later writes are rejected. What was erased has left the files, unless a reader holds it. */
  close(): Promise<void>;
}

interface Write {
  /** Undoes what it wrote when it throws; `alone`, that is all there is in the transaction. */
  perform(alone: boolean): void;
  settle(failure: StoreUnavailableError | null): void;
}

export function groupCommit(connection: DatabaseSync, events: CheckpointEvents): GroupCommit {
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  const rollback = connection.prepare('ROLLBACK');
  const beginOne = connection.prepare('SAVEPOINT write_of_one');
  const keepOne = connection.prepare('RELEASE write_of_one');
  const dropOne = connection.prepare('ROLLBACK TO write_of_one');

  let pending: Write[] = [];
  let rejection: StoreUnavailableError | null = null;
  let erased = false;
  const checkpoints = createCheckpointer(connection, {
    ...events,
    onFailure(error) {
      if (isFailedSync(error)) rejection = unavailable(error);
      events.onFailure(error);
    },
  });

  function transact(writes: readonly Write[]): StoreUnavailableError | null {
    if (rejection !== null) return rejection;
    try {
      begin.run();
      const alone = writes.length === 1;
      for (const write of writes) write.perform(alone);
      if (connection.isTransaction) commit.run();
    } catch (error) {
      const failure = unavailable(error);
      if (isFailedSync(error)) rejection = failure;
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

  function flush(): void {
    if (pending.length === 0) return;
    const writes = pending;
    pending = [];
    const failure = transact(writes);
    for (const write of writes) write.settle(failure);
  }

  function write<T>(work: () => T): Promise<T> {
    if (rejection !== null) return Promise.reject(rejection);
    return new Promise<T>((resolve, reject) => {
      let settle: () => void = () => {};
      if (pending.length === 0) setImmediate(flush);
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
    async close() {
      flush();
      rejection ??= new StoreUnavailableError('The store is closed');
      await checkpoints.close();
    },
  };
}
