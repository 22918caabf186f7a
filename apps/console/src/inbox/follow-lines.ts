import { settingsPath } from '@parley/protocol/paths';
import { sessionEnded } from '../api/call.ts';
import { readLines } from './read-lines.ts';

const firstRetryMs = 500;
const longestRetryMs = 8_000;

interface Following {
  readonly take: (line: string) => void;
  /** It is followed from here on, the first time or again. */
  readonly opened?: () => void;
}

/** Hands on the lines of a stream of the settings API, and asks for it again after every break until it is refused. */
export async function followLines(
  path: () => string,
  { take, opened }: Following,
  signal: AbortSignal,
): Promise<void> {
  let retryMs = firstRetryMs;
  while (!signal.aborted) {
    let hasRead = false;
    try {
      const response = await fetch(settingsPath + path(), { signal });
      if (response.status === 401) sessionEnded.value = true;
      if (response.status < 500 && !response.ok) return;
      if (response.ok && response.body) {
        opened?.();
        await readLines(response.body, (line) => {
          // Whoever goes on by another stream asks it for the same line.
          if (signal.aborted) return;
          hasRead = true;
          take(line);
        });
      }
    } catch {
      // It is asked for again, from where it broke off.
    }
    retryMs = hasRead ? firstRetryMs : Math.min(retryMs * 2, longestRetryMs);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, retryMs);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
