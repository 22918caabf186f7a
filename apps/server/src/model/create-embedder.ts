import type { EmbeddingModelV4 } from '@ai-sdk/provider';
import type { ModelSettings } from '@parley/protocol/settings/model';
import { classifyError } from './classify-error.ts';
import { type ModelCredentials, provide } from './create-model.ts';
import { ModelError } from './model-error.ts';

/** Of one request; where somebody waits, they give up sooner. */
const timeoutMs = 30_000;
/** Texts of one request, where the provider takes no fewer. */
const maxTexts = 32;
const maxNumbers = 4_096;

export interface EmbedderOptions {
  /** Of the agent, whose provider is asked. */
  readonly settings: ModelSettings;
  /** What the provider calls the model that makes vectors. */
  readonly name: string;
  readonly credentials: ModelCredentials;
  readonly fetch: typeof globalThis.fetch;
}

/** What makes vectors of texts; null: the provider offers none. Both reject with a `ModelError`. */
export const createEmbedder = async ({ name, ...options }: EmbedderOptions) => {
  const { embedding } = await provide({ ...options, reasoning: { show: false } });
  if (!embedding) return null;
  const model = embedding(name);
  return {
    model: `${options.settings.provider} ${name}`,
    async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
      const perCall = Math.max(1, Math.min((await model.maxEmbeddingsPerCall) ?? maxTexts, maxTexts));
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += perCall) {
        const values = texts.slice(start, start + perCall);
        const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
        const { embeddings } = await embedded(model, { values, abortSignal });
        if (embeddings.length !== values.length) throw unusable();
        vectors.push(...embeddings.map(unitVector));
      }
      return vectors;
    },
  };
};

async function embedded(model: EmbeddingModelV4, asked: Parameters<EmbeddingModelV4['doEmbed']>[0]) {
  try {
    return await model.doEmbed(asked);
  } catch (error) {
    throw classifyError(error, Date.now()).error;
  }
}

function unitVector(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers.slice(0, maxNumbers));
  if (numbers.length > maxNumbers || !Number.isFinite(length) || length === 0) throw unusable();
  return Float32Array.from(numbers, (each) => each / length);
}

const unusable = () => new ModelError('malformed', 'The provider sent no vectors that can be used.');
