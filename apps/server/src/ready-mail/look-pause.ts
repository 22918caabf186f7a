const shortestMs = 2_000;
const longestMs = 600_000;

/**
 * How long until what is worked on is looked at again: a sixth of the time that it has been waited for, so that many who
 * wait long cost few looks.
 */
export function lookPause(waitedMs: number): number {
  return Math.round(Math.min(Math.max(waitedMs / 6, shortestMs), longestMs));
}
