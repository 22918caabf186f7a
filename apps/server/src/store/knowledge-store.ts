import type { Passage } from './passage.ts';
import type { VectorStore } from './vector-store.ts';

/** A passage with the terms that it is found by, its title's among them; a term that is said twice stands there twice. */
export interface NewPassage {
  readonly title: string;
  readonly text: string;
  /** Letters, digits and marks only, 40 characters at most. */
  readonly terms: readonly string[];
}

/** What was read at one place of a source: a page of a website, an entry of a list of questions, a part of a text. */
export interface NewPage {
  readonly sourceId: string;
  readonly agentId: string;
  /** Tells the pages of a source apart. */
  readonly place: string;
  readonly title: string;
  /** Where a visitor can read it. */
  readonly address: string | null;
  readonly language: string | null;
  /** What the place said of its version, to be asked with again. */
  readonly version: string | null;
  /** Which reading of the source it belongs to: later ones have higher numbers. */
  readonly reading: number;
  /** In their order. So few that one transaction may write them all. */
  readonly passages: readonly NewPassage[];
}

export interface WeightedTerm {
  readonly term: string;
  /** A whole number. */
  readonly weight: number;
  /** False: it is counted in what others lead to, and leads to nothing itself. */
  readonly leads: boolean;
}

/** A passage that holds some of the terms. */
export interface Candidate {
  readonly key: number;
  readonly page: number;
  /** Terms in all. */
  readonly length: number;
  /** How often each of the terms that are looked for stands in it, in their order. */
  readonly counts: readonly number[];
}

export interface KnowledgeTotals {
  readonly passages: number;
  /** Of all of them together. */
  readonly terms: number;
}

/** Which process reads a source, so that no two do at once. */
export interface SourceClaims {
  /** Claims the source, or goes on with a claim of the same owner, for so long. False while another owner has it, and for one that is gone. */
  claimSource(sourceId: string, claim: { readonly owner: string; readonly ttlMs: number }): Promise<boolean>;

  releaseSource(sourceId: string, owner: string): Promise<void>;

  /** A page that is kept in several parts is one. */
  countSource(sourceId: string): Promise<{ readonly pages: number; readonly passages: number }>;
}

/** What was read of a source, for whoever looks after it. */
export interface SourcePages {
  /** In the order of the places, behind one of them. A page that is kept in several parts is one, with all of its passages. */
  listPages(
    sourceId: string,
    page: { readonly after: string; readonly limit: number },
  ): Promise<
    readonly (Pick<NewPage, 'place' | 'title' | 'address' | 'language'> & { readonly passages: number })[]
  >;

  /** The highest number of a reading that a page of the source has. */
  getLastReading(sourceId: string): Promise<number | null>;

  /** The titles of passages, pages in the order in which they were first read. */
  listTitles(
    sourceId: string,
    limit: number,
  ): Promise<readonly { readonly place: string; readonly title: string }[]>;
}

/**
 * Passages and the index of their terms. Both engines find the same for the same terms: what is a term and which
 * passage comes first is said by whoever asks.
 */
export interface KnowledgeStore extends SourceClaims, SourcePages, VectorStore {
  /** Puts the page in place of what was read there before. False when there is no such source any more. */
  savePage(page: NewPage): Promise<boolean>;

  /**
   * Says that a page is as it was, and so are its further parts, whose places are its own with a space and a number
   * behind it; false when nothing is kept of that place. Parts of a reading before that of the page are left over from when it was longer.
   */
  keepPage(sourceId: string, place: string, reading: number): Promise<boolean>;

  /** Removes pages of readings before this one, `limit` at most, and says how many. */
  removePages(
    sourceId: string,
    before: { readonly reading: number; readonly limit: number },
  ): Promise<number>;

  /** The version of each place of a source, in the order of the places, behind one of them. */
  listPlaces(
    sourceId: string,
    page: { readonly after: string; readonly limit: number },
  ): Promise<readonly { readonly place: string; readonly version: string | null }[]>;

  countKnowledge(agentId: string): Promise<KnowledgeTotals>;

  /** In how many passages of the agent each term stands, counted up to `most`. */
  countTerms(agentId: string, terms: readonly string[], most: number): Promise<readonly number[]>;

  /** The passages of the agent whose terms weigh most together, the heaviest first, of equal ones the oldest. */
  findPassages(agentId: string, terms: readonly WeightedTerm[], limit: number): Promise<readonly Candidate[]>;

  /** Those that are still there, in any order. */
  getPassages(keys: readonly number[]): Promise<readonly Passage[]>;
}
