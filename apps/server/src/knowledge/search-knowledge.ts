import type { Passage } from '../store/passage.ts';
import type { KnowledgeStore, KnowledgeTotals, WeightedTerm } from '../store/knowledge-store.ts';
import { withBareTerms } from './bare-term.ts';
import { functionTerms } from './function-words.ts';
import { otherFormsOf } from './other-forms.ts';
import { rankPassages, rarity } from './rank-passages.ts';
import { compoundTermsOf, termsOf } from './terms.ts';

/** Terms of one query; those that come later are not looked for. */
const maxTerms = 24;
/** How rare a term is, is counted up to half of the passages: what stands in more of them tells nothing. */
const commonShare = 0.5;
/** What a word counts that holds sentences together: little, and not nothing, since it may be the name of something. */
const functionShare = 0.05;
/** What another form of a word counts, beside the one that is asked for. */
const otherShare = 0.4;
/** Passages that the rarest terms may lead to together; the others then weigh, and find none. */
const maxFound = 4_000;
const maxCandidates = 200;
const weightScale = 1_000;

/** From here on adding up what all pages have takes a while, and a page more or less changes nothing that is found. */
const manyPassages = 1_000;
const rememberedMs = 5_000;
const maxRemembered = 1_000;

/** Looks up what agents know. */
export class KnowledgeSearch {
  readonly #store: KnowledgeStore;
  readonly #totals = new Map<string, { readonly totals: KnowledgeTotals; readonly until: number }>();

  constructor(store: KnowledgeStore) {
    this.#store = store;
  }

  /** The passages of an agent that say most of what is asked, the best first. */
  async find({
    agentId,
    query,
    limit,
  }: {
    readonly agentId: string;
    readonly query: string;
    readonly limit: number;
  }): Promise<readonly Passage[]> {
    const said = [...new Set([...termsOf(query), ...compoundTermsOf(query)])].slice(0, maxTerms);
    const meant = new Set(said.flatMap((term) => (functionTerms().has(term) ? term : withBareTerms([term]))));
    const others = otherFormsOf(query, meant);
    const asked = [...meant, ...others];
    if (asked.length === 0) return [];
    const totals = await this.#totalsOf(agentId);
    if (totals.passages === 0) return [];
    const most = Math.ceil(totals.passages * commonShare);
    const counts = await this.#store.countTerms(agentId, asked, most);
    const terms = asked
      .map((term, index) => ({ term, found: counts[index] ?? 0 }))
      .filter(({ found }) => found > 0)
      .map(({ term, found }) => {
        const share = functionTerms().has(term) ? functionShare : others.has(term) ? otherShare : 1;
        return { term, found, rarity: share * rarity(found, totals.passages) };
      })
      .toSorted((a, b) => b.rarity - a.rarity);
    const candidates = await this.#store.findPassages(agentId, weighted(terms), maxCandidates);
    const rarities = terms.map(({ rarity: weight }) => weight);
    const best = rankPassages(candidates, rarities, totals).slice(0, limit);
    const passages = new Map((await this.#store.getPassages(best)).map((passage) => [passage.key, passage]));
    return best.flatMap((key) => passages.get(key) ?? []);
  }

  async #totalsOf(agentId: string): Promise<KnowledgeTotals> {
    const known = this.#totals.get(agentId);
    if (known && known.until > Date.now()) return known.totals;
    const totals = await this.#store.countKnowledge(agentId);
    if (totals.passages < manyPassages) return totals;
    if (this.#totals.size >= maxRemembered) this.#totals.clear();
    this.#totals.set(agentId, { totals, until: Date.now() + rememberedMs });
    return totals;
  }
}

/** The rarest terms lead, as many as lead to no more passages than one search may look at; one at least. */
function weighted(
  terms: readonly { readonly term: string; readonly found: number; readonly rarity: number }[],
): readonly WeightedTerm[] {
  let found = 0;
  return terms.map((each, index) => {
    found += each.found;
    const leads = index === 0 || found <= maxFound;
    return { term: each.term, weight: Math.round(each.rarity * weightScale), leads };
  });
}
