import { closeSync, fdatasync, openSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

export interface LogSync {
  /** Ends when the write-ahead log as it stands is on disk. Rejects with the error of the system. */
  sync(): Promise<void>;
  close(): void;
}

/**
 * Takes the fsync of every COMMIT over from the engine. There it would hold up the event loop for as long as the disk
 * takes; here a thread waits for it. What the engine itself must find on disk, before it copies the log and when it
 * begins it again, it still syncs (https://sqlite.org/pragma.html#pragma_synchronous, NORMAL). Where there is no log, in
 * memory and on some network file systems, the engine goes on to sync. Throws where the log cannot be opened.
 */
export function createLogSync(connection: DatabaseSync): LogSync {
  const path = connection.location();
  const mode = connection.prepare('PRAGMA journal_mode').get()?.['journal_mode'];
  if (path === null || mode !== 'wal') return { sync: async () => {}, close() {} };
  // The engine makes it anew only while nobody has the database open.
  const log = openSync(`${path}-wal`, 'r+');
  connection.exec('PRAGMA synchronous = NORMAL');
  let open = true;
  return {
    sync: () =>
      new Promise((resolve, reject) => {
        fdatasync(log, (error) => (error ? reject(error) : resolve()));
      }),
    close() {
      if (open) closeSync(log);
      open = false;
    },
  };
}
