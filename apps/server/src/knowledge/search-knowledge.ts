import type { KnowledgeStore, Passage } from '../store/knowledge-store.ts';
import { rankPassages, rarity } from './rank-passages.ts';
import { termsOf } from './terms.ts';

/** Terms of one query; those that come later are not looked for. */
const maxTerms = 24;
/** A term of more than one in five passages says nothing about where to look. */
const commonShare = 0.2;
/** Below this a few passages may well share every word. */
const leastCommon = 100;
/** Passages that the rarest terms may lead to together; the others then weigh, and find none. */
const maxFound = 4_000;
const maxCandidates = 300;
const weightScale = 1_000;

/** The passages of an agent that say most of what is asked, the best first. */
export async function searchKnowledge(
  store: KnowledgeStore,
  { agentId, query, limit }: { readonly agentId: string; readonly query: string; readonly limit: number },
): Promise<readonly Passage[]> {
  const asked = [...new Set(termsOf(query))].slice(0, maxTerms);
  const totals = await store.countKnowledge(agentId);
  if (asked.length === 0 || totals.passages === 0) return [];
  const most = Math.max(leastCommon, Math.ceil(totals.passages * commonShare));
  const counts = await store.countTerms(agentId, asked, most + 1);
  const known = asked
    .map((term, index) => ({ term, found: counts[index] ?? 0 }))
    .filter(({ found }) => found > 0)
    .toSorted((a, b) => a.found - b.found);
  const telling = known.filter(({ found }) => found <= most);
  const terms = (telling.length > 0 ? telling : known.slice(0, 1)).map(({ term, found }) => ({
    term,
    found,
    rarity: rarity(found, totals.passages),
  }));
  const candidates = await store.findPassages(agentId, leading(terms), maxCandidates);
  const best = rankPassages(candidates, terms, totals).slice(0, limit);
  const passages = new Map((await store.getPassages(best)).map((passage) => [passage.key, passage]));
  return best.flatMap((key) => passages.get(key) ?? []);
}

/** The rarest terms, as many as lead to no more passages than one search may look at; one at least. */
function leading(terms: readonly { term: string; found: number; rarity: number }[]) {
  let found = 0;
  return terms
    .filter((each, index) => {
      found += each.found;
      return index === 0 || found <= maxFound;
    })
    .map(({ term, rarity: weight }) => ({ term, weight: Math.round(weight * weightScale) }));
}
