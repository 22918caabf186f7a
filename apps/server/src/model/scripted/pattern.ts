import { RE2JS } from 're2js';

const compiled = new Map<string, RE2JS>();
const most = 1_000;

/** A case-insensitive pattern of a script, matched in time linear in the text. Throws when it is not one. */
export const pattern = (source: string): RE2JS => {
  const known = compiled.get(source);
  if (known) return known;
  const made = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
  if (compiled.size >= most) compiled.clear();
  compiled.set(source, made);
  return made;
};

/** The groups of the first match, group 0 first; null when nothing matches. */
export const firstMatch = (source: string, text: string): string[] | null => {
  const matcher = pattern(source).matcher(text);
  if (!matcher.find()) return null;
  return Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group) ?? '');
};

/** The last match: its first group, or all of it when the pattern has none. */
export const lastMatch = (source: string, text: string): string | null => {
  const matcher = pattern(source).matcher(text);
  const group = Math.min(1, matcher.groupCount());
  let found: string | null = null;
  while (matcher.find()) found = matcher.group(group) ?? '';
  return found;
};
