import type { WidgetConfig } from './load-config.ts';

type Spoken = WidgetConfig['widget'];

/** What is said to visitors of a language, where the settings say anything else to them. */
export const inLanguage = (widget: Spoken, locale: string): Spoken => {
  const words = widget.languages?.[locale] ?? widget.languages?.[locale.split('-')[0]!];
  // In JSON nothing is undefined, which its type does not say.
  return { ...widget, ...(words as Partial<Spoken>) };
};
