import { ParleyError } from '@parley/client/error';
import { retryDelay } from '@parley/client/sleep';

const firstPause = 5_000;
const longestPause = 60_000;
const shortPause = 1_000;

/** Milliseconds until what has failed so often is tried again, or shortly after the time that the service named. */
export const nextPause = ({ retryAfter }: ParleyError, failures: number): number =>
  retryDelay(
    retryAfter === undefined ? Math.min(firstPause * 2 ** failures, longestPause) : shortPause,
    retryAfter,
  );

export function asParleyError(error: unknown): ParleyError {
  return error instanceof ParleyError ? error : new ParleyError('PROTOCOL', String(error), { cause: error });
}
