import type { ConversationCore } from '../conversation-core.ts';
import type { Session } from '../storage/conversation-storage.ts';
import type { OutboxMessage } from './outbox-message.ts';
import { typedText } from './typed-text.ts';

/** Goes over to another conversation, or to none, as this tab or another has chosen. */
export function leave(core: ConversationCore, session: Session | null): void {
  const { state, outbox, follow } = core;
  const unsent = state.outbox.value.filter((each) => each.state.kind !== 'accepted');
  outbox.abort();
  follow(session);
  restoreToDraft(core, unsent);
  outbox.set([]);
}

/** Puts what nobody has heard into the field: it is its visitor's to send elsewhere, or not at all. */
function restoreToDraft(
  { draft, files, generation }: ConversationCore,
  unsent: readonly OutboxMessage[],
): void {
  if (unsent.length === 0) return;
  const { value: abandoned } = generation;
  draft.change({ text: [...unsent.map(typedText), draft.state.value.text].filter(Boolean).join('\n') });
  for (const message of unsent.filter(({ parts }) => parts))
    void files.read(message).then((kept) => {
      if (kept && !abandoned.aborted) draft.change({ files: [...draft.state.value.files, ...kept] });
    });
}
