import { maxEventBytes } from '@parley/protocol/bounds';
import type { NewEvent } from './event-store.ts';
import { EventTooLargeError } from './store-error.ts';
import type { TurnStart } from './turn-store.ts';

/** An event as its columns. */
export interface EventRow {
  readonly type: string;
  readonly data: string | null;
  readonly id: string;
  readonly at: string;
  readonly concealed: 0 | 1;
  readonly itemId: string | null;
  readonly turn: TurnStart | null;
}

/** Rejects what no engine takes. */
export function eventRow({ event, concealed, itemId, turn }: NewEvent): EventRow {
  const data = 'data' in event ? JSON.stringify(event.data) : null;
  const bytes = data === null ? 0 : Buffer.byteLength(data);
  if (bytes > maxEventBytes)
    throw new EventTooLargeError(
      `An event ${event.type} of ${bytes} bytes; the log takes ${maxEventBytes} at most`,
    );
  return {
    type: event.type,
    data,
    id: event.meta.id,
    at: event.meta.at,
    concealed: concealed ? 1 : 0,
    itemId,
    turn: turn ?? null,
  };
}
