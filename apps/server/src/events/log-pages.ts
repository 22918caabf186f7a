import type { EventStore, StoredEvent } from '../store/event-store.ts';
import { firstPageTask, nextPageTask } from './next-page-task.ts';

/** Events of one page, where nothing else bounds it; `Store.read` bounds its bytes. */
const pageSize = 500;

/** A session's events from index `from` up to now, page by page; between two pages everybody else has a turn. */
export async function* logPages(
  store: Pick<EventStore, 'readEvents'>,
  sessionId: string,
  { from = 0, limit = pageSize }: { from?: number; limit?: number } = {},
): AsyncGenerator<readonly StoredEvent[], void> {
  await firstPageTask();
  for (let next: number | null = from; next !== null;) {
    const page = await store.readEvents(sessionId, next, limit);
    if (page.events.length > 0) yield page.events;
    next = page.next;
    if (next !== null) await nextPageTask();
  }
}
