import type { Candidate, KnowledgeTotals } from '../store/knowledge-store.ts';

/** The constants of BM25: how soon a term said again counts no more, and how much length counts. */
const saturation = 1.2;
const lengthWeight = 0.8;
/** What the next best passages of a page say for it, the first of them most. */
const neighbourShare = 0.2;
const neighbours = 3;

/** The rarity of a term that stands in `found` of all passages. */
export function rarity(found: number, passages: number): number {
  return Math.log(1 + (passages - found + 0.5) / (found + 0.5));
}

/**
 * Orders candidates by BM25, with the rarity of each term that was counted in them, and by what else their pages say of
 * it: first the best of every page, then all others. It adds numbers up in one order whatever engine found them, so that
 * the same comes first.
 */
export function rankPassages(
  candidates: readonly Candidate[],
  rarities: readonly number[],
  totals: KnowledgeTotals,
): readonly number[] {
  const averageLength = Math.max(1, totals.terms / Math.max(1, totals.passages));
  const scored = candidates.map((each) => ({ key: each.key, page: each.page, score: score(each) }));
  scored.sort((a, b) => b.score - a.score || a.key - b.key);
  const pages = [...Map.groupBy(scored, ({ page }) => page).values()].map((passages) => {
    const [best, ...others] = passages;
    const more = others.slice(0, neighbours).reduce((sum, each, index) => sum + each.score / (index + 1), 0);
    return { best: best!, others, score: best!.score + neighbourShare * more };
  });
  pages.sort((a, b) => b.score - a.score || a.best.key - b.best.key);
  return [...pages.map(({ best }) => best), ...pages.flatMap(({ others }) => others)].map(({ key }) => key);

  function score({ length, counts }: Candidate): number {
    const shrink = saturation * (1 - lengthWeight + (lengthWeight * length) / averageLength);
    return rarities.reduce((sum, weight, place) => {
      const count = counts[place] ?? 0;
      return sum + (weight * count * (saturation + 1)) / (count + shrink);
    }, 0);
  }
}
