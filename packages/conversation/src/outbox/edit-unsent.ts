import type { ConversationCore } from '../conversation-core.ts';
import { maxFiles, sizeOf } from './find-rejection.ts';
import { keepDraft } from './keep-draft.ts';
import type { OutboxMessage } from './outbox-message.ts';
import { typedText } from './typed-text.ts';

/** Makes an unsent message the one that is being written, before what has been written meanwhile. */
export async function editUnsent(core: ConversationCore, message: OutboxMessage): Promise<void> {
  const { state, draft, files, discard } = core;
  const kept = (await files.read(message)) ?? [];
  // It may have been sent meanwhile, or its visitor have left.
  if (state.outbox.value.every(({ id }) => id !== message.id)) return;
  const { value: setup } = state.setup;
  const { files: drafted } = draft.state.value;
  const all = [...kept, ...drafted];
  if (setup.kind === 'ready' && kept.length > 0 && drafted.length > 0) {
    const { files: policy } = setup.config;
    const names = kept.map(({ name }) => name);
    const isTooLarge = sizeOf(all) > policy.totalBytes;
    // One message cannot have both: this one stays as it is, or its files would be lost.
    if (isTooLarge || all.length > maxFiles)
      return draft.change({
        problem: {
          kind: 'rejected',
          unreadable: [],
          refused: isTooLarge ? names : [],
          surplus: isTooLarge ? [] : names,
          policy,
          maxFiles,
        },
      });
  }
  discard(message.id);
  void keepDraft(core);
  draft.change({
    text: [typedText(message), draft.state.value.text].filter(Boolean).join('\n'),
    files: all,
    problem: null,
  });
}
