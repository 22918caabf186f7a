import type { SessionEvent } from '@parley/protocol/event';
import type { TextAccumulator } from './text-accumulator.ts';

/**
 * The event's line of the stream, newline included. `soFar` must have been fed this event already; without it
 * deltas carry no cumulative text.
 */
export function encodeEvent(
  event: SessionEvent,
  continuationToken: string,
  soFar: TextAccumulator | null,
): string {
  const complete =
    event.type === 'session.waiting'
      ? { ...event, data: { ...event.data, continuationToken } }
      : (soFar?.complete(event) ?? event);
  return `${JSON.stringify(complete)}\n`;
}
