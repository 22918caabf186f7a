import type { Conversation } from '@parley/conversation';

/** What somebody types as soon as the panel opens goes into its field, also while there is none yet. */
export function keepTyped(
  { key, ctrlKey, metaKey, isComposing }: KeyboardEvent,
  field: HTMLTextAreaElement | null,
  { draft, setup }: Conversation,
): void {
  // Keys that write nothing have longer names.
  if (ctrlKey || metaKey || isComposing || key.length > 1) return;
  // The browser writes what is being pressed where the focus is by then.
  if (field) field.focus({ preventScroll: true });
  else if (setup.value.kind === 'loading') draft.change({ text: draft.state.value.text + key });
}
