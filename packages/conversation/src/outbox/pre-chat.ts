import { inLanguage } from '../in-language.ts';
import type { WidgetConfig } from '../load-config.ts';
import type { ConversationStorage } from '../storage/conversation-storage.ts';

type Settings = WidgetConfig['widget'];

export type PreChat = Pick<Settings, 'consent' | 'form'> & {
  /** What the visitor has filled in. */
  visitor?: Record<string, unknown> | null | undefined;
};

/** What a visitor still has to agree to and is asked before the first message, once in a browser, in whichever language. */
export function readPreChat(widget: Settings, storage: ConversationStorage, language: string): PreChat {
  const { consent, form } = inLanguage(widget, language);
  const { form: earlier } = inLanguage(widget, storage.get('form-language'));
  const visitor = (form ?? earlier) && storage.readObject('form');
  // Another language may ask for other fields.
  const filled =
    visitor &&
    [form, earlier].some((each) =>
      each?.fields.every(({ name, required }) => !required || Object.hasOwn(visitor, name)),
    );
  // What was agreed to was this text, or the same in another language.
  const texts = [widget, ...Object.values(widget.languages ?? {})].map((each) => each.consent?.text);
  return {
    visitor,
    consent: texts.includes(storage.get('consent')) ? undefined : consent,
    form: filled ? undefined : form,
  };
}
