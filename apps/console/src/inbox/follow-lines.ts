import { settingsPath } from '@parley/protocol/paths';
import { sessionEnded } from '../api/call.ts';
import { readLines } from './read-lines.ts';

const firstRetryMs = 500;
const longestRetryMs = 8_000;
/** Four heartbeats. A connection may be lost without a word of it. */
const longestSilenceMs = 20_000;
/** Too many requests of one address, as of an office: nothing is wrong with this one. */
const tooMany = 429;
/** A refusal that names a later time than this is asked about sooner. */
const longestNamedMs = 120_000;

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
    let namedMs = 0;
    const attempt = new AbortController();
    let silence: ReturnType<typeof setTimeout> | undefined;
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(() => attempt.abort(), longestSilenceMs);
    };
    try {
      heard();
      const ending = AbortSignal.any([signal, attempt.signal]);
      const response = await fetch(settingsPath + path(), { signal: ending });
      if (response.status === 401) sessionEnded.value = true;
      if (response.status < 500 && !response.ok && response.status !== tooMany) return;
      if (!response.ok) namedMs = Math.min(retryAfterMs(response), longestNamedMs);
      if (response.ok && response.body) {
        opened?.();
        const takeLine = (line: string) => {
          // Whoever goes on by another stream asks it for the same line.
          if (signal.aborted) return;
          hasRead = true;
          take(line);
        };
        await readLines(response.body, takeLine, heard);
      }
    } catch {
      // It is asked for again, from where it broke off.
    } finally {
      clearTimeout(silence);
    }
    if (signal.aborted) return;
    retryMs = hasRead ? firstRetryMs : Math.min(retryMs * 2, longestRetryMs);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, namedMs + retryMs);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

/** 0 where it names no seconds (RFC 9110, 10.2.3). */
const retryAfterMs = ({ headers }: Response): number =>
  Math.max(Number.parseInt(headers.get('retry-after') ?? '', 10) || 0, 0) * 1_000;
