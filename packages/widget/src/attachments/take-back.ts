import type { Chat } from '../chat/chat-model.ts';
import type { Outgoing } from '../chat/chat-state.ts';
import { typedText } from '../panel/user-bubble.tsx';
import { keepDraft } from './keep-draft.ts';
import { keptFiles } from './kept-files.ts';

/** Makes an unsent message the one that is being written, before what has been written meanwhile. */
export async function takeBack(chat: Chat, message: Outgoing): Promise<void> {
  const files = (await keptFiles(message)) ?? [];
  const { draft } = chat;
  // It may have been sent meanwhile, or its visitor have left.
  if (chat.state.outbox.every(({ id }) => id !== message.id)) return;
  chat.discard(message.id);
  void keepDraft(chat);
  draft.set({
    text: [typedText(message), draft.state.text].filter(Boolean).join('\n'),
    files: [...files, ...draft.state.files],
  });
}
