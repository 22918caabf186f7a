import type { SessionEvent } from '@parley/protocol/event';
import { withAddresses } from './file-addresses.ts';
import type { TextAccumulator } from './text-accumulator.ts';

/** What a reader is given that the log does not hold. */
interface ReaderAccess {
  readonly continuationToken: string;
  readonly fileUrl: (id: string) => string;
}

/**
 * The event's line of the stream, newline included. `soFar` must have been fed this event already; without it
 * deltas carry no cumulative text.
 */
export function encodeEvent(
  event: SessionEvent,
  { continuationToken, fileUrl }: ReaderAccess,
  soFar: TextAccumulator | null,
): string {
  const complete =
    event.type === 'session.waiting'
      ? { ...event, data: { ...event.data, continuationToken } }
      : withAddresses(soFar?.complete(event) ?? event, fileUrl);
  return `${JSON.stringify(complete)}\n`;
}
