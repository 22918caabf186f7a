import type { ToolDisplay } from './settings/tool-display.ts';
import type { WidgetConfig } from './widget-config.ts';
import { toolTitle, visibleJson, escapeInvisible } from './escape-invisible.ts';

export type ToolDisplays = Extract<WidgetConfig, { ok: true }>['tools'];

/** A sentence in pieces: what the tenant wrote, and between it the arguments of the call. */
export type Piece = { readonly text: string; readonly isArgument: boolean };

/** An argument in a sentence is cut off here; its row has the whole of it. */
const longestInSentence = 120;

/** A tool's name for visitors. */
export function titleOf(name: string, displays: ToolDisplays | undefined, locale: string): string {
  const title = inLanguage(own(displays, name)?.title, locale);
  return title ? escapeInvisible(title) : toolTitle(name);
}

/** What a call does, in a sentence; null where the tenant wrote none, or an argument of it is missing or no plain value. */
export function summaryOf(
  name: string,
  input: unknown,
  displays: ToolDisplays | undefined,
  locale: string,
): readonly Piece[] | null {
  const summary = inLanguage(own(displays, name)?.summary, locale);
  if (!summary) return null;
  const pieces: Piece[] = [];
  let isArgument = true;
  for (const part of summary.split(/\{\{([^{}]*)\}\}/)) {
    isArgument = !isArgument;
    const value = isArgument ? own(Object(input) as Record<string, unknown>, part.trim()) : part;
    if (value === '' && !isArgument) continue;
    if (!['string', 'number', 'boolean'].includes(typeof value) || value === '') return null;
    const text = escapeInvisible(String(value));
    pieces.push({
      text: text.length > longestInSentence ? `${text.slice(0, longestInSentence)}…` : text,
      isArgument,
    });
  }
  return pieces;
}

/** Every argument of a call as it is shown, under its label. */
export function argumentRows(
  name: string,
  input: unknown,
  displays: ToolDisplays | undefined,
): readonly { readonly label: string; readonly value: string }[] {
  const labels = own(displays, name)?.labels;
  return Object.entries(Object(input) as Record<string, unknown>).map(([argument, value]) => {
    const label = own(labels, argument);
    return {
      label: label ? escapeInvisible(label) : toolTitle(argument),
      value: typeof value === 'string' ? escapeInvisible(value) : visibleJson(value),
    };
  });
}

/** In the visitor's language, else in English, else in the first that there is. */
function inLanguage(texts: ToolDisplay['title'] | undefined, locale: string): string | undefined {
  if (!texts) return undefined;
  const language = locale.split('-')[0]!;
  return own(texts, locale) ?? own(texts, language) ?? own(texts, 'en') ?? Object.values(texts)[0];
}

/** Names come from the model: `constructor` is none of these. */
const own = <Value>(values: Record<string, Value> | undefined, name: string): Value | undefined =>
  values && Object.hasOwn(values, name) ? values[name] : undefined;
