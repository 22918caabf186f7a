import { lastMatch } from './pattern.ts';

export interface PlaceholderValues {
  /** The last user message. */
  readonly input: string;
  /** The groups of `when`, group 0 first. */
  readonly groups: readonly string[];
  /** User messages before the last, oldest first. */
  readonly earlier: readonly string[];
  /** The last tool output or answer. */
  readonly result: string;
}

// The look-ahead takes the last of a run of braces, so that a pattern may end in a quantifier such as {2}.
const placeholder = /\{\{(?:(input|result)|(\d{1,3})|recall:(.+?))\}\}(?!\})/gs;

/** `text` with every placeholder replaced. What is put in is not searched for placeholders again. */
export const fillText = (text: string, values: PlaceholderValues): string =>
  text.replaceAll(placeholder, (_, name?: string, group?: string, recall?: string) => {
    if (name === 'input') return values.input;
    if (name === 'result') return values.result;
    if (group !== undefined) return values.groups[Number(group)] ?? '';
    return recalled(recall ?? '', values.earlier);
  });

const recalled = (source: string, earlier: readonly string[]): string => {
  for (const message of earlier.toReversed()) {
    const found = lastMatch(source, message);
    if (found !== null) return found;
  }
  return 'nothing';
};

/** The same for every string inside a JSON value. */
export const fillJson = (value: unknown, values: PlaceholderValues): unknown => {
  if (typeof value === 'string') return fillText(value, values);
  if (Array.isArray(value)) return value.map((item) => fillJson(item, values));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillJson(item, values)]));
};

/** The patterns of the `{{recall:...}}` placeholders in `text`. */
export const recallPatterns = (text: string): string[] =>
  [...text.matchAll(placeholder)].flatMap((match) => (match[3] === undefined ? [] : [match[3]]));
