import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A visitor of another tenant, who says a word, waits for the answer, and says the next one. */
export interface LightVisitor {
  /** Milliseconds from each message to the end of its turn. */
  readonly turns: readonly number[];
  /** Resolves with the end of the next turn. */
  next(): Promise<unknown>;
  /** Resolves when the last turn is over. */
  stop(): Promise<void>;
}

/** In a thread of its own: making large requests holds up the one that makes them. */
export function lightVisitor(url: string, key: string): LightVisitor {
  const turns: number[] = [];
  const thread = new Worker(new URL('./light-visitor-thread.ts', import.meta.url), {
    workerData: { url, key },
  });
  thread.on('message', (took: number) => turns.push(took));
  const ended = once(thread, 'exit');
  return {
    turns,
    next: () => once(thread, 'message'),
    async stop() {
      thread.postMessage('stop');
      await ended;
    },
  };
}
