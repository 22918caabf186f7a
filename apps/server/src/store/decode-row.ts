import type { SessionEvent } from '@parley/protocol/event';
import type { StoredEvent } from './event-store.ts';
import type { QueueItem } from './queue-store.ts';
import type { SessionRecord } from './session-store.ts';

/** Of a query whose columns are aliased to the record's fields, JSON as text. */
type Row = Readonly<Record<string, string | number | bigint | Uint8Array | null>>;

export function sessionRecord(row: Row): SessionRecord {
  // `state` alone is stored in another form.
  return { ...row, state: JSON.parse(String(row['state'])) } as unknown as SessionRecord;
}

export function queueItem({ id, position, body, acceptedAt, acceptedIndex }: Row): QueueItem {
  return {
    id: String(id),
    position: Number(position),
    body: JSON.parse(String(body)),
    acceptedAt: Number(acceptedAt),
    acceptedIndex: acceptedIndex === null ? null : Number(acceptedIndex),
  };
}

export function storedEvent({ idx, type, data, id, at, concealed, itemId }: Row): StoredEvent {
  const event = {
    type,
    ...(data === null ? {} : { data: JSON.parse(String(data)) }),
    meta: { at, id },
  };
  return {
    index: Number(idx),
    event: event as SessionEvent,
    concealed: concealed === 1,
    itemId: itemId === null ? null : String(itemId),
  };
}
