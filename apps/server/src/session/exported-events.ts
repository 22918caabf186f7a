import type { SessionEvent } from '@parley/protocol/event';
import type { SessionRecord, Store } from '../store/store.ts';
import { type Audience, visibleEvent } from './event-line.ts';
import { logPages } from './log-pages.ts';

/** Events that a reader who takes nothing keeps in memory. */
const pageSize = 16;

/**
 * The session's events up to now, as this audience may see them. A transcript is passed on: what would let its reader
 * into the session, its id and token, is left empty.
 */
export async function* exportedEvents(
  store: Store,
  { id, nextIndex }: Pick<SessionRecord, 'id' | 'nextIndex'>,
  audience: Audience,
): AsyncGenerator<SessionEvent, void> {
  for await (const events of logPages(store, id, { limit: pageSize })) {
    for (const stored of events) {
      if (stored.index >= nextIndex) return;
      yield withoutAccess(visibleEvent(stored, audience));
    }
  }
}

function withoutAccess(event: SessionEvent): SessionEvent {
  switch (event.type) {
    case 'context.cleared':
      return { ...event, data: { ...event.data, sessionId: '' } };
    case 'compaction.requested':
      return { ...event, data: { ...event.data, sessionId: '' } };
    case 'compaction.completed':
      return { ...event, data: { ...event.data, sessionId: '' } };
    case 'session.failed':
      return { ...event, data: { ...event.data, sessionId: '' } };
    default:
      return event;
  }
}
