import type { EventDataByType } from '@parley/protocol/event';
import type { NewEvent } from '../store/event-store.ts';
import { createEventId } from './event-id.ts';

export type Stamp = Readonly<Record<'at' | 'id', string>>;
type Marks = Partial<Pick<NewEvent, 'concealed' | 'itemId'>>;

/** When something happened, and its place among all that did: made once, and the same for every reader. */
export function stamp(): Stamp {
  const now = Date.now();
  return { at: new Date(now).toISOString(), id: createEventId(now) };
}

/** An event of now, or of when it was stamped. */
export function newEvent<T extends keyof EventDataByType>(
  type: T,
  data: EventDataByType[T],
  marks: Marks = {},
  meta: Stamp = stamp(),
): NewEvent {
  // The union of all events cannot be matched from a generic key; the pair (type, data) is checked by the signature.
  const event = { type, data, meta } as NewEvent['event'];
  return { event, concealed: marks.concealed ?? false, itemId: marks.itemId ?? null };
}

/** The event that ends a session; the only one without data. */
export function sessionCompleted(): NewEvent {
  return { event: { type: 'session.completed', meta: stamp() }, concealed: false, itemId: null };
}
