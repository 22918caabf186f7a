import type { KnowledgeStore, Passage } from '../store/knowledge-store.ts';
import { functionTerms } from './function-words.ts';
import { rankPassages, rarity } from './rank-passages.ts';
import { termsOf } from './terms.ts';

/** Terms of one query; those that come later are not looked for. */
const maxTerms = 24;
/** How rare a term is, is counted up to half of the passages: what stands in more of them tells nothing. */
const commonShare = 0.5;
/** What a word counts that holds sentences together: little, and not nothing, since it may be the name of something. */
const functionShare = 0.05;
/** Passages that the rarest terms may lead to together; the others then weigh, and find none. */
const maxFound = 4_000;
const maxCandidates = 200;
const weightScale = 1_000;

/** The passages of an agent that say most of what is asked, the best first. */
export async function searchKnowledge(
  store: KnowledgeStore,
  { agentId, query, limit }: { readonly agentId: string; readonly query: string; readonly limit: number },
): Promise<readonly Passage[]> {
  const asked = [...new Set(termsOf(query))].slice(0, maxTerms);
  const totals = await store.countKnowledge(agentId);
  if (asked.length === 0 || totals.passages === 0) return [];
  const most = Math.ceil(totals.passages * commonShare);
  const counts = await store.countTerms(agentId, asked, most);
  const terms = asked
    .map((term, index) => ({ term, found: counts[index] ?? 0 }))
    .filter(({ found }) => found > 0)
    .map(({ term, found }) => {
      const share = functionTerms().has(term) ? functionShare : 1;
      return { term, found, rarity: share * rarity(found, totals.passages) };
    })
    .toSorted((a, b) => b.rarity - a.rarity);
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
