import type { Logger } from '../logger.ts';
import type { Embedder } from './embedder.ts';
import { RefusedTextError } from './refused-text-error.ts';

/** What a search waits for the vector of what it looks for. */
const maxWaitMs = 3_000;
/** For so long a provider that has failed is not waited for; then one search tries it. */
const restMs = 30_000;
/** What it refuses so often in a row is not the text: it may be the name of the model. */
const maxRefusals = 3;
/** Providers that are known to have failed. */
const maxResting = 1_000;
/** Characters of what is looked for. */
const maxQuery = 2_000;

interface QueryVectorsDeps {
  readonly embedderOf: (agentId: string) => Promise<Embedder | null>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Makes the vectors of what is looked for. Whatever goes wrong with them, a search goes on without. */
export class QueryVectors {
  readonly #deps: QueryVectorsDeps;
  readonly #stopping = new AbortController();
  /** Until when each is left alone. */
  readonly #resting = new Map<string, number>();
  /** How many texts in a row each has refused. */
  readonly #refusals = new Map<string, number>();

  constructor(deps: QueryVectorsDeps) {
    this.#deps = deps;
  }

  /** Null: the words have to do. */
  async of(agentId: string, query: string): Promise<{ model: string; vector: Float32Array } | null> {
    if (query.trim() === '') return null;
    try {
      const embedder = await this.#deps.embedderOf(agentId);
      if (!embedder) return null;
      const { model } = embedder;
      const provider = `${agentId} ${model}`;
      const until = this.#resting.get(provider);
      if (until !== undefined && until > Date.now()) return null;
      // While one search tries it again the others do without.
      if (until !== undefined) this.#rest(provider);
      try {
        const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(maxWaitMs)]);
        const [vector] = await embedder.embed([query.slice(0, maxQuery).toWellFormed()], signal);
        this.#resting.delete(provider);
        this.#refusals.delete(provider);
        return vector ? { model, vector } : null;
      } catch (error) {
        // What it does not take of one search it may take of the next.
        const isOfText = error instanceof RefusedTextError && this.#refused(provider) < maxRefusals;
        if (isOfText) this.#resting.delete(provider);
        else this.#rest(provider);
        throw error;
      }
    } catch (err) {
      this.#deps.logger.warn({ err, agentId }, 'passages are looked for by their words alone');
      return null;
    }
  }

  close(): void {
    this.#stopping.abort();
  }

  #refused(provider: string): number {
    const refusals = (this.#refusals.get(provider) ?? 0) + 1;
    setNewest(this.#refusals, provider, refusals);
    return refusals;
  }

  #rest(provider: string): void {
    setNewest(this.#resting, provider, Date.now() + restMs);
  }
}

function setNewest(known: Map<string, number>, provider: string, value: number): void {
  known.delete(provider);
  known.set(provider, value);
  const [oldest] = known.keys();
  if (oldest !== undefined && known.size > maxResting) known.delete(oldest);
}
