const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** What is waited after each attempt that failed, as Standard Webhooks suggests it: 75 hours and a half together. */
const pauses = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** A share of each pause that differs, so that what failed together is not tried again together. */
const jitter = 0.2;

/** How long a webhook may fail without a single success before it is switched off. */
export const switchOffAfterMs = 72 * hour;

/** What an address may ask to be waited for at most: as long as the longest pause. */
const maxAskedMs = 24 * hour;

/**
 * Milliseconds until the next attempt, after so many that failed; null: it is given up. An address may ask for a longer
 * pause, and for no shorter one: the attempts would be over before it is there again.
 */
export function pauseAfter(
  attempts: number,
  { askedMs = 0, random = Math.random }: { readonly askedMs?: number; readonly random?: () => number } = {},
): number | null {
  const pause = pauses[attempts - 1];
  if (pause === undefined) return null;
  const longest = Math.max(pause * (1 - jitter / 2), Math.min(askedMs, maxAskedMs));
  return Math.round(longest + pause * jitter * random());
}
