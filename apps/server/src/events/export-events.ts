import type { SessionEvent } from '@parley/protocol/event';
import type { SessionRecord } from '../store/session-store.ts';
import type { Store } from '../store/store.ts';
import { type Audience, withoutAccess, redactEvent } from './redact-event.ts';
import { withAddresses } from './file-addresses.ts';
import { logPages } from './log-pages.ts';

/** Events that a reader who takes nothing keeps in memory. */
const pageSize = 16;

/**
 * The session's events up to now, as this audience may see them. A transcript is passed on: what would let its reader
 * into the session is left out.
 */
export async function* exportEvents(
  store: Store,
  { id, nextIndex }: Pick<SessionRecord, 'id' | 'nextIndex'>,
  { audience, fileUrl }: { readonly audience: Audience; readonly fileUrl: (id: string) => string },
): AsyncGenerator<SessionEvent, void> {
  for await (const events of logPages(store, id, { limit: pageSize })) {
    for (const stored of events) {
      if (stored.index >= nextIndex) return;
      yield withAddresses(withoutAccess(redactEvent(stored, audience)), fileUrl);
    }
  }
}
