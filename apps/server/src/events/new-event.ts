import type { EventDataByType } from '@parley/protocol/event';
import type { NewEvent } from '../store/event-store.ts';
import { createEventId } from './event-id.ts';

type Marks = Partial<Pick<NewEvent, 'concealed' | 'itemId'>>;

/** Stamps an event. Its id and time are made once, here, and are the same for every reader. */
export function newEvent<T extends keyof EventDataByType>(
  type: T,
  data: EventDataByType[T],
  marks: Marks = {},
): NewEvent {
  const now = Date.now();
  const meta = { at: new Date(now).toISOString(), id: createEventId(now) };
  // The union of all events cannot be matched from a generic key; the pair (type, data) is checked by the signature.
  const event = { type, data, meta } as NewEvent['event'];
  return { event, concealed: marks.concealed ?? false, itemId: marks.itemId ?? null };
}

/** The event that ends a session; the only one without data. */
export function sessionCompleted(): NewEvent {
  const now = Date.now();
  const meta = { at: new Date(now).toISOString(), id: createEventId(now) };
  return { event: { type: 'session.completed', meta }, concealed: false, itemId: null };
}
