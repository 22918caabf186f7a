import type { Candidate, KnowledgeTotals } from '../store/knowledge-store.ts';

/** The usual constants of BM25: how soon a term said again counts no more, and how much length counts. */
const saturation = 1.2;
const lengthWeight = 0.75;
/** Passages of one page beyond which others come first. */
const mostOfOnePage = 2;

export interface WeighedTerm {
  readonly term: string;
  /** How rare it is among the passages of the agent. */
  readonly rarity: number;
}

/** The rarity of a term that stands in `found` of all passages. */
export function rarity(found: number, passages: number): number {
  return Math.log(1 + (passages - found + 0.5) / (found + 0.5));
}

/** Orders candidates by BM25, the best first, with a few of each page before the others of it. */
export function rankPassages(
  candidates: readonly Candidate[],
  terms: readonly WeighedTerm[],
  totals: KnowledgeTotals,
): readonly number[] {
  const rarities = new Map(terms.map(({ term, rarity: weight }) => [term, weight]));
  const averageLength = Math.max(1, totals.terms / Math.max(1, totals.passages));
  const scored = candidates.map((candidate) => ({ ...candidate, score: score(candidate) }));
  scored.sort((a, b) => b.score - a.score || a.key - b.key);
  const ofPage = new Map<number, number>();
  const first: number[] = [];
  const later: number[] = [];
  for (const { key, page } of scored) {
    const earlier = ofPage.get(page) ?? 0;
    ofPage.set(page, earlier + 1);
    (earlier < mostOfOnePage ? first : later).push(key);
  }
  return [...first, ...later];

  function score({ terms: own }: Candidate): number {
    const counts = new Map<string, number>();
    for (const term of own) if (rarities.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
    const shrink = saturation * (1 - lengthWeight + (lengthWeight * own.length) / averageLength);
    let sum = 0;
    for (const [term, count] of counts)
      sum += (rarities.get(term)! * count * (saturation + 1)) / (count + shrink);
    return sum;
  }
}
