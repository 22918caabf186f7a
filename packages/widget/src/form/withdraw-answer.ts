import type { Chat } from '../chat/chat-model.ts';

/** An answer that did not get through, and is being changed, is not sent by itself any more. */
export function withdrawAnswer(chat: Chat, requestId: string): void {
  if (chat.state.answers.get(requestId)?.kind !== 'failed') return;
  const answers = new Map(chat.state.answers);
  answers.delete(requestId);
  chat.set({ answers });
}
