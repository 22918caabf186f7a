import { ParleyError } from '@parley/client/error';
import { retryDelay, sleep } from '@parley/client/sleep';

const firstPause = 5_000;
const longestPause = 60_000;
const shortPause = 1_000;

/** Milliseconds until what has failed so often is tried again, or shortly after the time that the service named. */
export const nextPause = ({ retryAfter }: ParleyError, failures: number): number =>
  retryDelay(
    retryAfter === undefined ? Math.min(firstPause * 2 ** failures, longestPause) : shortPause,
    retryAfter,
  );

/** What waits for the network to be back. */
export function createNetwork() {
  let returned = new AbortController();
  return {
    isBack() {
      returned.abort();
      returned = new AbortController();
    },
    /** Resolves when it may be tried again: when the network is back, or after a while. A limit lasts as long as it says. */
    recovery: (error: ParleyError, failures: number): Promise<void> =>
      sleep(nextPause(error, failures), error.retryAfter === undefined ? returned.signal : undefined),
  };
}

export function asParleyError(error: unknown): ParleyError {
  return error instanceof ParleyError ? error : new ParleyError('PROTOCOL', String(error), { cause: error });
}
