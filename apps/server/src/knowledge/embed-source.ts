import type { KnowledgeStore } from '../store/knowledge-store.ts';
import type { Embedder } from './embedder.ts';
import { RefusedTextError } from './refused-text-error.ts';

/** Passages that one request to the provider has. */
const perRequest = 32;
/** Characters of a passage that its vector is made of: no passage is as long, whatever its title. */
const maxLength = 8_000;
/** What a provider has for one request of ours, however many it makes of it. */
const maxWaitMs = 60_000;

interface Embedding {
  readonly embedder: Embedder;
  readonly signal: AbortSignal;
  /** False: somebody else has taken it over. */
  readonly goOn: () => Promise<boolean>;
}

/** Gives the passages of a source the vectors that they lack. */
export async function embedSource(
  store: Pick<KnowledgeStore, 'listUnembedded' | 'saveVectors'>,
  sourceId: string,
  { embedder, signal, goOn }: Embedding,
): Promise<void> {
  const { model } = embedder;
  while (await goOn()) {
    const passages = await store.listUnembedded(sourceId, { model, limit: perRequest });
    if (passages.length === 0) return;
    const texts = passages.map(({ title, text }) => `${title}\n\n${text}`.slice(0, maxLength).toWellFormed());
    const vectors = await vectorsOf(texts, embedder, signal);
    await store.saveVectors(
      model,
      passages.map(({ key }, index) => {
        const { buffer, byteOffset, byteLength } = vectors[index] ?? none;
        return { key, vector: new Uint8Array(buffer, byteOffset, byteLength) };
      }),
    );
    if (passages.length < perRequest) return;
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
