const firstMs = 100;
const longestMs = 5_000;

/** Doubles with every failure. `random` in [0, 1) takes up to half of it off, so that a fleet does not come back at once. */
export function reconnectDelayMs(failures: number, random: number): number {
  return Math.min(firstMs * 2 ** failures, longestMs) * (1 - random / 2);
}
