import type { ConversationStore } from '../chat/conversation-store.ts';
import type { WidgetConfig } from '../chat/widget-config.ts';

export type Gate = ReturnType<typeof createGate>;

/** What a visitor has to agree to and is asked before the first message, once in a browser. */
export function createGate({ consent, form }: WidgetConfig['widget'], saved: ConversationStore) {
  const gate = {
    /** What the visitor has filled in. */
    get visitor() {
      return form && saved.readObject('form');
    },
    /** What is still to be agreed to: what was agreed to was this text. */
    get consent() {
      return saved.get('consent') === consent?.text ? undefined : consent;
    },
    /** What is still to be filled in. */
    get form() {
      const { visitor } = gate;
      const filled =
        visitor && form?.fields.every(({ name, required }) => !required || Object.hasOwn(visitor, name));
      return filled ? undefined : form;
    },
  };
  return gate;
}
