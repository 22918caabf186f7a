import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** The result of one attempt: frames of the write-ahead log, of which `copied` are in the database file. */
export type CheckpointReport =
  | { readonly frames: number; readonly copied: number }
  | { readonly errcode: number; readonly message: string };

// A connection of its own that waits for nobody: PASSIVE copies what no reader holds, beside running transactions.
const connection = new DatabaseSync(String(workerData), { timeout: 0 });
const passive = connection.prepare('PRAGMA wal_checkpoint(PASSIVE)');

function checkpoint(): CheckpointReport {
  try {
    passive.get();
    // Once more, for what was committed during the first: little is left to the main thread, which empties the log.
    const row = passive.get();
    return { frames: Number(row?.['log']), copied: Number(row?.['checkpointed']) };
  } catch (error) {
    const errcode = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
    return { errcode, message: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (request) => {
  if (request === 'checkpoint') return parentPort?.postMessage(checkpoint());
  connection.close();
  parentPort?.close();
});
