import type { ConversationCore } from '../conversation-core.ts';
import type { Session } from '../storage/conversation-storage.ts';
import { attach } from './attach.ts';
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
function restoreToDraft(core: ConversationCore, unsent: readonly OutboxMessage[]): void {
  const { draft, files, generation } = core;
  if (unsent.length === 0) return;
  const { value: abandoned } = generation;
  draft.change({ text: [...unsent.map(typedText), draft.state.value.text].filter(Boolean).join('\n') });
  const kept = unsent.filter(({ parts }) => parts).map((message) => files.read(message).catch(() => null));
  void Promise.all(kept).then((all) => {
    const left = all.flatMap((each) => each ?? []);
    if (left.length > 0 && !abandoned.aborted) void attach(core, left);
  });
}
