import type { ConversationCore } from '../conversation-core.ts';
import { keepDraft } from './keep-draft.ts';
import type { OutboxMessage } from './outbox-message.ts';
import { typedText } from './typed-text.ts';

/** Makes an unsent message the one that is being written, before what has been written meanwhile. */
export async function editUnsent(core: ConversationCore, message: OutboxMessage): Promise<void> {
  const { state, draft, files, discard } = core;
  const kept = (await files.read(message)) ?? [];
  // It may have been sent meanwhile, or its visitor have left.
  if (state.outbox.value.every(({ id }) => id !== message.id)) return;
  discard(message.id);
  void keepDraft(core);
  draft.change({
    text: [typedText(message), draft.state.value.text].filter(Boolean).join('\n'),
    files: [...kept, ...draft.state.value.files],
  });
}
