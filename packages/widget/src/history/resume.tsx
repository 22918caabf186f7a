import type { LastConversation } from '@parley/conversation';
import { useEffect, useState } from 'preact/hooks';
import { lazy } from '../ui/lazy.tsx';
import { useSignal } from '../ui/use-signal.ts';
import { useWidget } from '../widget-context.ts';

const LastConversationRow = lazy(() => import('./last-conversation.tsx'), true);

/** Offers the conversation that the visitor has left for a new one, if there is one. */
export function Resume() {
  const { conversation } = useWidget();
  const generation = useSignal(conversation.generation);
  const [last, setLast] = useState<LastConversation | null>(null);
  useEffect(() => {
    const read = () => setLast(conversation.lastConversation());
    read();
    void conversation.loaded.then(read);
  }, [generation]);
  return last ? <LastConversationRow last={last} /> : null;
}
