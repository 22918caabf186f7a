import type { ConversationCore } from '../conversation-core.ts';

/** What an earlier page has left unsent is every tab's to send, until one of them has taken it back. */
export function forgetTakenBack({ state, storage, environment, signal }: ConversationCore): void {
  const { outbox } = state;
  const forget = () => {
    const stored = storage.readOutbox();
    const left = outbox.value.filter(
      ({ id, restored }) => !restored || stored.some((each) => each.id === id),
    );
    if (left.length < outbox.value.length) outbox.value = left;
  };
  // A page that was kept aside hears nothing meanwhile.
  for (const type of ['storage', 'pageshow']) environment.events?.addEventListener(type, forget, { signal });
}
