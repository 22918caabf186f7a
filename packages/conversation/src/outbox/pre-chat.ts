import type { WidgetConfig } from '../load-config.ts';
import type { ConversationStorage } from '../storage/conversation-storage.ts';

export type PreChat = Pick<WidgetConfig['widget'], 'consent' | 'form'> & {
  /** What the visitor has filled in. */
  visitor?: Record<string, unknown> | null | undefined;
};

/** What a visitor still has to agree to and is asked before the first message, once in a browser. */
export function readPreChat(
  { consent, form }: WidgetConfig['widget'],
  storage: ConversationStorage,
): PreChat {
  const visitor = form && storage.readObject('form');
  const filled =
    visitor && form?.fields.every(({ name, required }) => !required || Object.hasOwn(visitor, name));
  return {
    visitor,
    // What was agreed to was this text.
    consent: storage.get('consent') === consent?.text ? undefined : consent,
    form: filled ? undefined : form,
  };
}
