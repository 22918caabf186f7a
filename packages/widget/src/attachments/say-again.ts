import type { Turn } from '@parley/conversation/transcript/turn';
import type { Chat } from '../chat/chat-model.ts';
import { typedText } from '../panel/user-bubble.tsx';
import { loadAttachments } from './load-attachments.ts';

/** Sends a message of the conversation once more, with its files. */
export async function sayAgain(chat: Chat, user: NonNullable<Turn['user']>): Promise<void> {
  const { epoch } = chat;
  if (user.parts.every(({ type }) => type !== 'file')) return void chat.send(user.text);
  try {
    const { fetchFiles } = await loadAttachments();
    const files = await fetchFiles(chat.connection, user);
    // Whoever has come meanwhile, or another conversation, is not told it.
    if (epoch === chat.epoch) chat.send(typedText(user), files);
  } catch {
    if (epoch === chat.epoch) chat.draft.set({ problem: ({ label }) => label('NETWORK') });
  }
}
