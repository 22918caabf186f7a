import { type Clock, systemClock } from '@parley/client/clock';
import { sleep } from '@parley/client/sleep';

const longestDelay = 15_000;

/** Loads a part without which nothing goes on: it is tried until nobody wants it, and each failure told. */
export async function keepLoading<Part extends object>(
  load: () => Promise<Part>,
  signal: AbortSignal,
  failed: () => void,
  clock: Clock = systemClock,
): Promise<Part | null> {
  for (let delay = 1_000; !signal.aborted; delay = Math.min(delay * 4, longestDelay)) {
    try {
      const part = await load();
      if (signal.aborted) break;
      return part;
    } catch (error) {
      console.error('Parley:', error);
      failed();
      await sleep(delay, signal, clock);
    }
  }
  return null;
}
