import { type Clock, systemClock } from './clock.ts';

/** Ends after the time or at the abort, whichever is first. */
export const sleep = (milliseconds: number, signal: AbortSignal | undefined, clock: Clock = systemClock) =>
  new Promise<void>((resolve) => {
    const done = () => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(milliseconds, done);
    signal?.addEventListener('abort', done);
    if (signal?.aborted) done();
  });

/**
 * Milliseconds before the next attempt. Half of the delay is at random, so that a restarted server is not met by
 * everybody at once, and none of it is before the time that the server named.
 */
export const retryDelay = (delay: number, retryAfterSeconds = 0): number =>
  retryAfterSeconds * 1_000 + delay * (0.5 + Math.random() / 2);
