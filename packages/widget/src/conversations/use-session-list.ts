import { ParleyError } from '@parley/client/error';
import { type Connection } from '@parley/client/connection';
import { listSessions } from '@parley/client/list-sessions';
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
export function useSessionList(connection: Connection) {
  const [state, setState] = useState<State>({ items: [], next: null, loading: true, error: null });
  const load = async (signal?: AbortSignal) => {
    setState({ ...state, loading: true, error: null });
    try {
      const page = await listSessions(connection, {
        ...(state.next !== null && { cursor: state.next }),
        ...(signal && { signal }),
      });
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
