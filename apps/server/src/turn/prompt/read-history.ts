import { setImmediate as nextTask } from 'node:timers/promises';
import type { HistoryPage } from '../../store/history-store.ts';
import type { Store } from '../../store/store.ts';
import type { HistoryMessage } from '../context.ts';
import { type HistoryStart, historyStart } from './prompt.ts';

/** Bytes of history that one turn holds: more than any model reads. What is older is left out. */
const maxHistoryBytes = 8 * 1024 * 1024;

/** The history from where the last summary ends, a page at a time. */
export async function readHistory(
  store: Store,
  sessionId: string,
  state: HistoryStart,
): Promise<HistoryMessage[]> {
  const afterTurn = historyStart(state);
  const pages: HistoryPage[] = [];
  let bytes = 0;
  let cut = false;
  for (let from: number | null = null; ;) {
    const page: HistoryPage = await store.readHistory(sessionId, { afterTurn, from });
    pages.push(page);
    bytes += page.bytes;
    while (bytes > maxHistoryBytes && pages.length > 1) {
      bytes -= pages.shift()!.bytes;
      cut = true;
    }
    if (page.next === null) break;
    from = page.next;
    await nextTask();
  }
  const entries = pages.flatMap((page) => page.entries as readonly HistoryMessage[]);
  // A result without its call is refused by every provider.
  return cut ? entries.slice(entries.findIndex(({ message }) => message.role === 'user')) : entries;
}
