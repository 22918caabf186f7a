import type { Turn } from '@parley/client/turn';
import type { Chat } from '../chat/chat-model.ts';
import { loadAttachments } from './load-attachments.ts';

/** Sends a message of the conversation once more, with its files. */
export function sayAgain(chat: Chat, user: NonNullable<Turn['user']>): void {
  if (user.parts.some(({ type }) => type === 'file'))
    void loadAttachments().then(({ repeatMessage }) => repeatMessage(chat, user));
  else chat.send(user.text);
}
