import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { CheckpointReport } from './checkpoint-worker.ts';
import { busyTimeoutMs } from './database.ts';
import { isEngineFailure, isFailedSync } from './engine-failure.ts';

/** From a commit to the checkpoint that copies it; also between two attempts while a reader holds the log. */
const intervalMs = 1_000;
/** After so many commits the next checkpoint is due at once: a log that stays short is written over, not appended to. */
const commitsAtOnce = 100;
/** From a commit that removed something to the checkpoint. */
const eraseMs = 100;
/** From this many frames on the log begins again at its start, once it is copied. */
const restartFrames = 1_000;
/** A longer log is cut once it is copied, so that the disk gets back what it grew by while a reader held it, and warned of until then. */
const maxLogBytes = 32 * 1_024 * 1_024;

export interface CheckpointEvents {
  /** Nothing was copied. It is tried again, but for a sync that failed. */
  readonly onFailure: (error: unknown) => void;
  /** A reader keeps the log from being emptied, and it has grown beyond `maxLogBytes`. Once for each such time. */
  readonly onHeld: (logBytes: number) => void;
}

export interface Checkpointer {
  /** Something was committed; `erased` when it removed something that must leave the files. */
  committed(erased: boolean): void;
  /** From now on nothing is copied: nobody knows any more whether the disk has what the log says. */
  halt(): void;
  /** Copies and empties the log as far as nobody reads from it, and lets go. */
  close(): Promise<void>;
}

/**
 * Copies the write-ahead log into the database file, outside every transaction and without the busy handler: a reader
 * in another process delays a checkpoint, never a write. Copying and its fsyncs run in a thread of their own (64 MiB
 * take some 100 ms); what is left for this one is to cut the log, which holds nothing by then but the latest commits.
 * What was erased leaves the files `eraseMs` and a checkpoint later, or `intervalMs` and a checkpoint after the last
 * reader that holds it lets go.
 */
export function createCheckpointer(
  connection: DatabaseSync,
  { onFailure, onHeld }: CheckpointEvents,
): Checkpointer {
  const path = connection.location();
  if (path === null) return { committed() {}, halt() {}, close: async () => {} };
  // Otherwise a COMMIT would copy the log, inside the write.
  connection.exec('PRAGMA wal_autocheckpoint = 0');
  let worker: Worker | null = null;
  let timer: NodeJS.Timeout | null = null;
  let timerAt = 0;
  /** Since the last attempt began. */
  let commits = 0;
  /** A reader kept the last attempt from emptying the log. */
  let held = false;
  let running = false;
  let halted = false;
  let closed = false;
  let saidHeld = false;
  // A process that was killed may have left in the log what it had erased.
  let eraseDue = !empty(true, 0);
  if (eraseDue) schedule(intervalMs);

  function schedule(afterMs: number): void {
    const at = performance.now() + afterMs;
    if (closed || halted || running || (timer !== null && timerAt <= at)) return;
    if (timer !== null) clearTimeout(timer);
    timerAt = at;
    timer = setTimeout(attempt, afterMs).unref();
  }

  function attempt(): void {
    timer = null;
    running = true;
    commits = 0;
    worker ??= startWorker();
    worker.postMessage('checkpoint');
  }

  function startWorker(): Worker {
    const started = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), { workerData: path });
    started.unref();
    started.on('message', attempted);
    started.on('error', onFailure);
    started.on('exit', () => {
      worker = null;
      if (running && !closed) attempted({ errcode: 0, message: 'The checkpoint thread ended' });
    });
    return started;
  }

  function attempted(report: CheckpointReport): void {
    running = false;
    if (halted) return;
    if ('errcode' in report) {
      failed(Object.assign(new Error(report.message), { errcode: report.errcode }));
      return schedule(intervalMs);
    }
    const logBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    const tooLong = logBytes > maxLogBytes;
    const copied = report.copied === report.frames;
    const emptied = copied && empty(eraseDue || tooLong, report.frames);
    held = !emptied;
    if (emptied) saidHeld = eraseDue = false;
    else if (tooLong && !saidHeld) {
      saidHeld = true;
      onHeld(logBytes);
    }
    if (held || commits > 0) schedule(dueMs());
  }

  /** A second sync would succeed, whatever is on the disk (https://wiki.postgresql.org/wiki/Fsync_Errors). */
  function failed(error: unknown): void {
    halted ||= isFailedSync(error);
    onFailure(error);
  }

  function dueMs(): number {
    return commits >= commitsAtOnce && !held ? 0 : intervalMs;
  }

  /** Begins the log again, with a `cut` file if asked; a short one may stay. False when a reader still needs it. */
  function empty(cut: boolean, frames: number): boolean {
    if (!cut && frames < restartFrames) return true;
    try {
      connection.exec('PRAGMA busy_timeout = 0');
      const mode = cut ? 'TRUNCATE' : 'RESTART';
      return connection.prepare(`PRAGMA wal_checkpoint(${mode})`).get()?.['busy'] === 0;
    } catch (error) {
      if (!isEngineFailure(error)) throw error;
      failed(error);
      return false;
    } finally {
      connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    }
  }

  return {
    committed(erased) {
      commits += 1;
      eraseDue ||= erased;
      schedule(erased ? Math.min(eraseMs, dueMs()) : dueMs());
    },
    halt() {
      halted = true;
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
    async close() {
      closed = true;
      if (timer !== null) clearTimeout(timer);
      if (worker !== null) {
        const ending = worker;
        const exited = new Promise((resolve) => ending.once('exit', resolve));
        ending.ref();
        ending.postMessage('close');
        await exited;
      }
      if (connection.isOpen && !halted) empty(true, 0);
    },
  };
}
