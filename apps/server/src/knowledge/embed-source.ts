import { setImmediate } from 'node:timers/promises';
import type { KnowledgeStore } from '../store/knowledge-store.ts';
import type { Embedder } from './embedder.ts';
import { RefusedTextError } from './refused-text-error.ts';

/** Passages that one request to the provider has. */
const perRequest = 32;
/** Pages that are looked at before other work runs: where each has one passage, they fill two requests. */
const pagesAtOnce = 64;
/** Characters of a passage that its vector is made of: no passage is as long, whatever its title. */
const maxLength = 8_000;
/** What a provider has for one request of ours, however many it makes of it. */
const maxWaitMs = 60_000;

interface Embedding {
  readonly embedder: Embedder;
  /** The place behind which passages may lack vectors. */
  readonly after: string;
  readonly signal: AbortSignal;
  /** False: somebody else has taken it over. */
  readonly goOn: () => Promise<boolean>;
}

/** The place behind which the first pages stand that have passages without vectors; null: there are none. */
export async function findUnembedded(
  store: Pick<KnowledgeStore, 'listUnembedded'>,
  sourceId: string,
  model: string,
): Promise<string | null> {
  let after: string | null = '';
  while (after !== null) {
    const { passages, next } = await store.listUnembedded(sourceId, { model, after, pages: pagesAtOnce });
    if (passages.length > 0) return after;
    after = next;
    await setImmediate();
  }
  return null;
}

/** Gives the passages of a source the vectors that they lack. */
export async function embedSource(
  store: Pick<KnowledgeStore, 'listUnembedded' | 'saveVectors'>,
  sourceId: string,
  { embedder, after, signal, goOn }: Embedding,
): Promise<void> {
  const { model } = embedder;
  // What somebody else has made vectors of until now is not listed.
  if (!(await goOn())) return;
  for (let from: string | null = after; from !== null;) {
    const { passages, next } = await store.listUnembedded(sourceId, {
      model,
      after: from,
      pages: pagesAtOnce,
    });
    for (let start = 0; start < passages.length; start += perRequest) {
      if (!(await goOn())) return;
      const some = passages.slice(start, start + perRequest);
      const texts = some.map(({ title, text }) => `${title}\n\n${text}`.slice(0, maxLength).toWellFormed());
      const vectors = await vectorsOf(texts, embedder, signal);
      await store.saveVectors(
        model,
        some.map(({ key }, index) => {
          const { buffer, byteOffset, byteLength } = vectors[index] ?? none;
          return { key, vector: new Uint8Array(buffer, byteOffset, byteLength) };
        }),
      );
    }
    from = next;
    await setImmediate();
  }
}

const harmless = 'Hello';

/** In place of the vector of a text that the provider refuses: nothing is like it, and nobody asks for it again. */
const none = new Float32Array();

/** Where the provider refuses them together, one by one: a text that it does not take keeps no other from its vector. */
async function vectorsOf(
  texts: readonly string[],
  embedder: Embedder,
  stopping: AbortSignal,
): Promise<readonly (Float32Array | null)[]> {
  const embed = (some: readonly string[]) =>
    embedder.embed(some, AbortSignal.any([stopping, AbortSignal.timeout(maxWaitMs)]));
  try {
    return await embed(texts);
  } catch (error) {
    if (!(error instanceof RefusedTextError)) throw error;
    // Where it takes not even this, the settings are wrong and not the texts.
    await embed([harmless]);
    const vectors: (Float32Array | null)[] = [];
    for (const text of texts)
      vectors.push(await embed([text]).then(([vector]) => vector ?? null, unlessRefused));
    return vectors;
  }
}

function unlessRefused(error: unknown): null {
  if (error instanceof RefusedTextError) return null;
  throw error;
}
