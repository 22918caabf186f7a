import { maxJsonDepth } from './bounds.ts';

/** The longest message of a user, in Unicode code points. */
export const maxTextLength = 20_000;

export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Counts code points, which is what a reader and JSON Schema count, not UTF-16 units. */
export function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  if (text.length > limit * 2) return true;
  return codePoints(text) > limit;
}

export const hasNul = (text: string): boolean => text.includes('\0');

/** What keeps a JSON value out of the store: U+0000 in a string or key, or hostile nesting. */
export function jsonFault(value: unknown, depth = 0): 'nul' | 'depth' | null {
  if (typeof value === 'string') return hasNul(value) ? 'nul' : null;
  if (typeof value !== 'object' || value === null) return null;
  if (depth === maxJsonDepth) return 'depth';
  if (Array.isArray(value)) {
    for (const entry of value) {
      const fault = jsonFault(entry, depth + 1);
      if (fault) return fault;
    }
    return null;
  }
  // Pairs of key and value would cost three times as much: an object may have tens of thousands.
  for (const key of Object.keys(value)) {
    const fault = hasNul(key) ? 'nul' : jsonFault((value as Record<string, unknown>)[key], depth + 1);
    if (fault) return fault;
  }
  return null;
}

/**
 * The same JSON with every lone surrogate replaced by U+FFFD, and the same value where it has none: a copy of a large one
 * takes long. Only for values without `jsonFault`.
 */
export function wellFormedJson(value: unknown): unknown {
  return isWellFormedJson(value) ? value : wellFormedCopy(value);
}

function isWellFormedJson(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormedJson);
  if (typeof value !== 'object' || value === null) return true;
  for (const key of Object.keys(value))
    if (!key.isWellFormed() || !isWellFormedJson((value as Record<string, unknown>)[key])) return false;
  return true;
}

function wellFormedCopy(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormedCopy);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key.toWellFormed(), wellFormedCopy(entry)]),
  );
}
