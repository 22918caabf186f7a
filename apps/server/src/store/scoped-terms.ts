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

/** Counts these terms in stored passages. They are letters, digits and marks, and so none of them means anything in a pattern. */
export function termCounter(
  scoped: readonly string[],
): (stored: string) => { readonly length: number; readonly counts: readonly number[] } {
  const places = new Map(scoped.map((term, place) => [term, place]));
  const pattern = new RegExp(`(?<= |^)(?:${scoped.join('|')})(?= |$)`, 'g');
  return (stored) => {
    const counts = scoped.map(() => 0);
    for (const [term] of stored.matchAll(pattern)) counts[places.get(term)!]! += 1;
    let length = stored === '' ? 0 : 1;
    for (let at = stored.indexOf(' '); at !== -1; at = stored.indexOf(' ', at + 1)) length += 1;
    return { length, counts };
  };
}
