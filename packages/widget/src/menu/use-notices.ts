import { useEffect } from 'preact/hooks';
import type { Conversation } from '@parley/conversation';

/** While the page is out of sight, what is new sounds and is marked in the title, if that is wanted. */
export function useNotices(conversation: Conversation, wanted: boolean): void {
  useEffect(() => {
    if (!wanted) return;
    const ending = new AbortController();
    import('./notify.ts').then(
      ({ notify }) => notify(conversation, ending.signal),
      () => {}, // It is counted all the same.
    );
    return () => ending.abort();
  }, [conversation, wanted]);
}
