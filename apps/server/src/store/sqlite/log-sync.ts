import { closeSync, fdatasync, openSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';

const syncData = promisify(fdatasync);

export interface LogSync {
  /** Ends when the write-ahead log as it stands is on disk. Rejects with the error of the system. */
  sync(): Promise<void>;
  close(): void;
}

/**
 * Takes the fsync of every COMMIT over from the engine. There it would hold up the event loop for as long as the disk
 * takes; here a thread waits for it. What the engine itself must find on disk, as before it copies the log, it still
 * syncs (https://sqlite.org/pragma.html#pragma_synchronous, NORMAL).
 */
export function createLogSync(connection: DatabaseSync): LogSync {
  const path = connection.location();
  if (path === null) return { sync: async () => {}, close() {} };
  connection.exec('PRAGMA synchronous = NORMAL');
  let log: number | null = null;
  return {
    async sync() {
      // The engine makes it anew only while nobody has the database open.
      log ??= openSync(`${path}-wal`, 'r+');
      await syncData(log);
    },
    close() {
      if (log !== null) closeSync(log);
      log = null;
    },
  };
}
