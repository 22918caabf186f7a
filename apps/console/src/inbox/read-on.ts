import type { InboxItem } from '@parley/protocol/settings/inbox';
import type { Page } from '../api/call.ts';

export interface ReadRows {
  readonly items: readonly InboxItem[];
  readonly next: string | null;
  /** How many were asked for. */
  readonly pages: number;
  /** The last of them had nothing. */
  readonly isSparse: boolean;
}

interface Wanted {
  /** The place to read on from; null: the beginning. */
  readonly from: string | null;
  /** So many rows are enough. Asked for with every page: a list may be unfolded while it is read again. */
  readonly rows: () => number;
  readonly maxPages: () => number;
  /** Once it is aborted, no further page is asked for. */
  readonly signal: AbortSignal;
}

/**
 * The rows of a list from a place on, a page after the other. A row that has moved meanwhile is where it was read last.
 * Throws what `read` throws, and the reason of the signal.
 */
export async function readOn(
  read: (cursor: string | null) => Promise<Page<InboxItem>>,
  { from, rows, maxPages, signal }: Wanted,
): Promise<ReadRows> {
  const found = new Map<string, InboxItem>();
  for (let next = from, pages = 1; ; pages += 1) {
    const page = await read(next);
    signal.throwIfAborted();
    for (const item of page.items) {
      found.delete(item.id);
      found.set(item.id, item);
    }
    next = page.next;
    if (next === null || found.size >= rows() || pages >= maxPages())
      return { items: [...found.values()], next, pages, isSparse: page.items.length === 0 };
  }
}
