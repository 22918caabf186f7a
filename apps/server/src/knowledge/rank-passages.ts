import type { Candidate, KnowledgeTotals } from '../store/knowledge-store.ts';

/** The constants of BM25: how soon a term said again counts no more, and how much length counts. */
const saturation = 1.2;
const lengthWeight = 0.8;
/** What the next best passages of a page say for it, the first of them most. */
const neighbourShare = 0.2;
const neighbours = 3;

export interface WeighedTerm {
  readonly term: string;
  /** How rare it is among the passages of the agent. */
  readonly rarity: number;
}

/** The rarity of a term that stands in `found` of all passages. */
export function rarity(found: number, passages: number): number {
  return Math.log(1 + (passages - found + 0.5) / (found + 0.5));
}

/**
 * Orders candidates by BM25, and by what else their pages say of it: first the best of every page, then all others. It
 * adds numbers up in one order whatever engine found them, so that the same comes first.
 */
export function rankPassages(
  candidates: readonly Candidate[],
  terms: readonly WeighedTerm[],
  totals: KnowledgeTotals,
): readonly number[] {
  const rarities = new Map(terms.map(({ term, rarity: weight }) => [term, weight]));
  const averageLength = Math.max(1, totals.terms / Math.max(1, totals.passages));
  const scored = candidates.map(({ key, page, terms: own }) => ({ key, page, score: score(own) }));
  scored.sort((a, b) => b.score - a.score || a.key - b.key);
  const pages = [...Map.groupBy(scored, ({ page }) => page).values()].map((passages) => {
    const [best, ...others] = passages;
    const more = others.slice(0, neighbours).reduce((sum, each, index) => sum + each.score / (index + 1), 0);
    return { best: best!, others, score: best!.score + neighbourShare * more };
  });
  pages.sort((a, b) => b.score - a.score || a.best.key - b.best.key);
  return [...pages.map(({ best }) => best), ...pages.flatMap(({ others }) => others)].map(({ key }) => key);

  function score(own: readonly string[]): number {
    const counts = new Map<string, number>();
    for (const term of own) if (rarities.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
    const shrink = saturation * (1 - lengthWeight + (lengthWeight * own.length) / averageLength);
    let sum = 0;
    for (const [term, weight] of rarities) {
      const count = counts.get(term) ?? 0;
      sum += (weight * count * (saturation + 1)) / (count + shrink);
    }
    return sum;
  }
}
