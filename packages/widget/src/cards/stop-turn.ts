import type { Chat } from '../chat/chat-model.ts';
import { insist } from './insist.ts';

/** Stops the turn that runs now, and no other, as soon as it gets through. */
export async function stopTurn(chat: Pick<Chat, 'state' | 'set' | 'talk' | 'network'>): Promise<void> {
  const turnId = chat.state.transcript.turns.at(-1)?.id;
  if (turnId === undefined) return;
  const isRunning = () => {
    const { status, turns } = chat.state.transcript;
    return status === 'working' && turns.at(-1)?.id === turnId;
  };
  await insist(
    chat,
    async ({ sessionId }) => {
      chat.set({ stopping: turnId });
      await chat.talk.cancel(sessionId, { turnId }).catch((error: unknown) => {
        // The button is there again: the turn goes on, and so can the visitor.
        if (isRunning()) chat.set({ stopping: null });
        throw error;
      });
    },
    // It was pressed again.
    () => isRunning() && chat.state.stopping === null,
  ).catch(() => {});
}
