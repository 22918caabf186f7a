import { write, writeSync } from 'node:fs';

/** So much is written at once, or what there is after `flushMs`. */
const chunkLength = 4_096;
const flushMs = 250;
/** After a write that failed, as on a full disk or a pipe that is full. */
const retryMs = 250;
/** While nothing can be written. Lines beyond it are lost. */
const maxWaitingLength = 4_000_000;
/** How long the end of the process waits for a full pipe. */
const exitMs = 1_000;

/** Writes lines to a descriptor, in their order. What cannot be written waits, and ends neither the process nor its end. */
export function logDestination(descriptor: number): { write(line: string): void } {
  let waiting = '';
  /** What is being written, or is to be tried again. */
  let chunk = Buffer.alloc(0);
  let writing = false;
  let timer: NodeJS.Timeout | null = null;
  let immediate: NodeJS.Immediate | null = null;
  let hasFailed = false;
  let isGone = false;

  function later(ms: number): void {
    timer ??= setTimeout(() => {
      timer = null;
      flush();
    }, ms).unref();
  }

  /** Not at once: what is logged as the process ends is then written by `flushSync`, in its order. */
  function soon(): void {
    immediate ??= setImmediate(() => {
      immediate = null;
      flush();
    });
  }

  function flush(): void {
    if (writing || isGone) return;
    if (chunk.length === 0) {
      chunk = Buffer.from(waiting);
      waiting = '';
    }
    if (chunk.length === 0) return;
    writing = true;
    write(descriptor, chunk, (error, written) => {
      writing = false;
      // Nobody will ever read it.
      isGone = error?.code === 'EPIPE';
      hasFailed = error !== null;
      if (error) return later(retryMs);
      chunk = chunk.subarray(written);
      if (chunk.length > 0 || waiting.length >= chunkLength) flush();
      else if (waiting !== '') later(flushMs);
    });
  }

  /** What is being written at this moment leaves by itself. */
  function flushSync(): void {
    let rest = Buffer.concat([writing ? Buffer.alloc(0) : chunk, Buffer.from(waiting)]);
    const end = performance.now() + exitMs;
    while (rest.length > 0 && !isGone)
      try {
        rest = rest.subarray(writeSync(descriptor, rest));
      } catch (error) {
        const isFull = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
        if (!isFull || performance.now() > end) return;
      }
  }
  process.on('exit', flushSync);

  return {
    write(line) {
      if (isGone || waiting.length > maxWaitingLength) return;
      waiting += line;
      if (waiting.length >= chunkLength && !hasFailed) soon();
      else later(flushMs);
    },
  };
}
