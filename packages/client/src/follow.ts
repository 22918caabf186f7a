import type { SessionEvent } from '@parley/protocol/event';
import { defaultPlatform, fillPath, sessionPatterns } from '@parley/protocol/paths';
import { systemClock } from './clock.ts';
import { type Connection, request } from './connection.ts';
import { ParleyError, parseJson, passingStatuses } from './error.ts';
import { cancelStream, type OpenStream, streamBody } from './open-stream.ts';
import { readChunks, readLines } from './ndjson.ts';
import { retryDelay, sleep } from './sleep.ts';
import { whenAwake } from './when-awake.ts';

/** An event and its absolute position in the session's stream. */
export type IndexedEvent = { index: number; event: SessionEvent };

export type FollowOptions = {
  /** Index of the first event wanted, usually a transcript's `nextIndex`. */
  startIndex?: number;
  /** The stream that a message was answered with; another one is opened when it is lost, does not begin there, or is followed already. */
  stream?: OpenStream | null;
  /** Aborting ends the iteration without an error. */
  signal?: AbortSignal;
  /** Told each time the stream opens (true) and each time it is lost (false). */
  onConnection?: (connected: boolean) => void;
};

const firstDelay = 250;
const longestDelay = 4_000;
/** Four heartbeats. */
const longestSilence = 20_000;
/** After this much silence a device that wakes up does not trust its connection. */
const suspiciousSilence = 7_500;

/**
 * The session's events from `startIndex` on, each exactly once, for as long as the session lives: lost connections
 * are opened again where they broke off. Returns after `session.completed` or `session.failed`; throws a
 * `ParleyError` when coming back is useless (the key or the session is refused).
 */
export async function* followSession(
  connection: Connection,
  sessionId: string,
  { stream = null, startIndex = stream?.startIndex ?? 0, signal, onConnection }: FollowOptions = {},
): AsyncGenerator<IndexedEvent, void> {
  const path = fillPath(sessionPatterns(connection.platform ?? defaultPlatform).stream, sessionId);
  const { clock = systemClock } = connection;
  let index = startIndex;
  let unread = stream?.startIndex === startIndex && !stream.body.locked ? stream : null;
  if (!unread) cancelStream(stream);
  let delay = firstDelay;
  let onWake = () => {};
  let stop = () => {};
  const over = new AbortController();
  whenAwake(connection, over.signal, () => onWake());
  signal?.addEventListener('abort', () => stop(), over);

  try {
    while (!signal?.aborted) {
      const attempt = new AbortController();
      stop = () => attempt.abort();
      let heardAt = clock.now();
      onWake = () => {
        if (clock.now() - heardAt > suspiciousSilence) stop();
      };
      const watch = async <T>(waiting: Promise<T>): Promise<T> => {
        const cancel = clock.after(longestSilence, stop);
        try {
          return await waiting;
        } finally {
          cancel();
          heardAt = clock.now();
        }
      };

      let retryAfter: number | undefined;
      try {
        const open = () =>
          request(connection, `${path}?startIndex=${index}&soFar=0`, { signal: attempt.signal });
        const body = unread ? unread.body : streamBody(await watch(open()));
        unread = null;
        if (body) {
          onConnection?.(true);
          for await (const line of readLines(readChunks(body, attempt.signal, watch))) {
            if (line === '') continue;
            const event = parseJson<SessionEvent>(line);
            delay = firstDelay;
            yield { index: index++, event };
            // A reader passes over an event that is none.
            const type = (event as SessionEvent | null)?.type;
            if (type === 'session.completed' || type === 'session.failed') return;
            if (signal?.aborted) return;
          }
        }
      } catch (error) {
        if (!(error instanceof ParleyError) || isFinal(error)) throw error;
        ({ retryAfter } = error);
      } finally {
        attempt.abort();
      }

      if (signal?.aborted) return;
      onConnection?.(false);
      const pause = new AbortController();
      onWake = stop = () => pause.abort();
      await sleep(retryDelay(delay, retryAfter), pause.signal, clock);
      delay = Math.min(delay * 2, longestDelay);
    }
  } finally {
    cancelStream(unread);
    over.abort();
  }
}

/** A refusal of the service that waiting cannot change, or a stream that is none. Another one is of something in between. */
const isFinal = ({ code, status }: ParleyError): boolean =>
  code === 'PROTOCOL' ? status === undefined : status! < 500 && !passingStatuses.has(status);
