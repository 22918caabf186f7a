import { createHash } from 'node:crypto';

const markLength = 6;

/**
 * Terms as the index has them: behind a mark of their agent, so that a search reads nothing of what others know. Two
 * agents may have one mark, which costs a little time and shows nothing.
 */
export function scopedTerms(agentId: string, terms: readonly string[]): string[] {
  const mark = createHash('sha256').update(agentId).digest('hex').slice(0, markLength);
  return terms.map((term) => mark + term);
}

/** The terms of a stored passage, as they were given. */
export function unscopedTerms(stored: string): string[] {
  // All of them have the mark of one agent: cut at it, none has to be cut again.
  return stored === '' ? [] : stored.slice(markLength).split(` ${stored.slice(0, markLength)}`);
}
