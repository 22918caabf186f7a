import { useEffect, useRef } from 'preact/hooks';
import type { Chat } from '../chat/chat-model.ts';

/** While the page is out of sight, a finished answer or a request of the agent sounds and is marked in the title. */
export function useNotices(chat: Chat, wanted: boolean): void {
  const { turns, requests } = chat.state.transcript;
  const arrived = turns.filter(({ status }) => status !== 'running').length + requests.length;
  const known = useRef(arrived);
  useEffect(() => {
    const more = arrived > known.current;
    known.current = arrived;
    if (!more || !wanted || !document.hidden) return;
    import('./notify.ts').then(
      ({ notify }) => notify(),
      () => {}, // It is counted all the same.
    );
  }, [arrived, wanted]);
}
