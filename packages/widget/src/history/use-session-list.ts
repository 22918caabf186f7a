import { ParleyError } from '@parley/client/error';
import type { Conversation } from '@parley/conversation';
import type { SessionList } from '@parley/protocol/session-responses';
import { useEffect, useState } from 'preact/hooks';

export type ListedSession = SessionList['items'][number];

type State = {
  items: readonly ListedSession[];
  /** Where the next page begins; null if there is none. */
  next: string | null;
  loading: boolean;
  error: ParleyError | null;
};

/** The visitor's conversations, a page at a time. */
export function useSessionList({ list }: Conversation) {
  const [state, setState] = useState<State>({ items: [], next: null, loading: true, error: null });
  const load = async (signal?: AbortSignal) => {
    setState({ ...state, loading: true, error: null });
    try {
      const page = await list({
        ...(state.next !== null && { cursor: state.next }),
        ...(signal && { signal }),
      });
      if (!page) return;
      setState({ items: [...state.items, ...page.items], next: page.next, loading: false, error: null });
    } catch (error) {
      if (signal?.aborted) return;
      const known = error instanceof ParleyError ? error : new ParleyError('PROTOCOL', String(error));
      setState({ ...state, loading: false, error: known });
    }
  };
  useEffect(() => {
    const leaving = new AbortController();
    void load(leaving.signal);
    return () => leaving.abort();
  }, []);
  return { ...state, more: () => load() };
}
