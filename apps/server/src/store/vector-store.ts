import type { Passage } from './passage.ts';

/** Numbers of four bytes each, as the machine has them. */
export interface PassageVector {
  readonly key: number;
  readonly vector: Uint8Array;
}

/** Vectors of passages, by which they are found in other words than their own. They go with their passages. */
export interface VectorStore {
  /**
   * Passages without a vector of this model in so many pages of a source, in the order of their places, behind one of
   * them. `next`: the last of these places; null where there are no more pages.
   */
  listUnembedded(
    sourceId: string,
    query: { readonly model: string; readonly after: string; readonly pages: number },
  ): Promise<{
    readonly passages: readonly Pick<Passage, 'key' | 'title' | 'text'>[];
    readonly next: string | null;
  }>;

  /** In place of vectors of other models. Those of passages that are gone are left out. */
  saveVectors(model: string, vectors: readonly PassageVector[]): Promise<void>;

  /** Of an agent, in the order of their keys, behind one of them. */
  listVectors(
    of: { readonly agentId: string; readonly model: string },
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly PassageVector[]>;
}
