import type { DatabaseSync } from 'node:sqlite';
import { StoreUnavailable } from '../store-error.ts';
import { isEngineFailure, isFailedSync, unavailable } from './engine-failure.ts';

export interface GroupCommit {
  /**
   * Runs `work` in the transaction shared by all writes requested in this turn of the event loop, in order of request,
   * and settles once it is on disk. When `work` throws, its own promise alone is rejected: it must not have written by
   * then, which a statement that fails has not.
   */
  write<T>(work: () => T): Promise<T>;
  /** After the transaction that `work` runs in, nothing it removed is left in the write-ahead log either. */
  erase<T>(work: () => T): Promise<T>;
  /** Commits what was requested so far; later writes are refused. */
  close(): void;
}

interface Write {
  perform(): void;
  settle(failure: StoreUnavailable | null): void;
}

export function groupCommit(connection: DatabaseSync): GroupCommit {
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  const rollback = connection.prepare('ROLLBACK');
  const truncate = connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)');

  let pending: Write[] = [];
  let refused: StoreUnavailable | null = null;
  let eraseDue = false;

  function transact(writes: readonly Write[]): StoreUnavailable | null {
    if (refused !== null) return refused;
    try {
      begin.run();
      for (const write of writes) write.perform();
      commit.run();
    } catch (error) {
      const failure = unavailable(error);
      if (isFailedSync(error)) refused = failure;
      try {
        if (connection.isTransaction) rollback.run();
      } catch (cause) {
        refused = unavailable(cause);
      }
      return failure;
    }
    if (eraseDue) eraseDue = !emptyLog();
    return null;
  }

  /** A reader in another process can hold the log up; then the next transaction tries again. */
  function emptyLog(): boolean {
    try {
      return truncate.get()?.['busy'] === 0;
    } catch (error) {
      if (!isEngineFailure(error)) throw error;
      if (isFailedSync(error)) refused = unavailable(error);
      return false;
    }
  }

  function flush(): void {
    if (pending.length === 0) return;
    const writes = pending;
    pending = [];
    const failure = transact(writes);
    for (const write of writes) write.settle(failure);
  }

  function write<T>(work: () => T): Promise<T> {
    if (refused !== null) return Promise.reject(refused);
    return new Promise<T>((resolve, reject) => {
      let settle: () => void = () => {};
      if (pending.length === 0) setImmediate(flush);
      pending.push({
        perform() {
          try {
            const result = work();
            settle = () => resolve(result);
          } catch (error) {
            if (isEngineFailure(error) || !connection.isTransaction) throw error;
            settle = () => reject(error);
          }
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
        eraseDue = true;
        return result;
      }),
    close() {
      flush();
      refused ??= new StoreUnavailable('The store is closed');
    },
  };
}
