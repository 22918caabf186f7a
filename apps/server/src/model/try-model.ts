import { apiKeyFor } from './api-key-for.ts';
import { createModel, type ModelOptions } from './create-model.ts';
import { ModelError } from './model-error.ts';
import type { ModelTiming } from './model-timing.ts';

/** Somebody looks at the screen meanwhile. */
const timing: ModelTiming = {
  firstChunk: 20_000,
  firstPart: 20_000,
  stall: 20_000,
  retryBudget: 20_000,
  backoff: 1_000,
};

interface TriedModel extends Omit<ModelOptions, 'timing'> {
  readonly operatorKeys: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Asks a model for a word, as a turn would ask it, and goes when it begins to answer. Null: it did; else why not. */
export async function tryModel({ operatorKeys, signal, ...options }: TriedModel): Promise<ModelError | null> {
  const { settings, credentials } = options;
  const apiKey = apiKeyFor(settings, credentials, operatorKeys);
  const ended = AbortSignal.any([signal, AbortSignal.timeout(timing.firstChunk)]);
  try {
    const model = await createModel({ ...options, credentials: { ...credentials, apiKey }, timing });
    const parts = model.stream({
      instructions: undefined,
      messages: [{ role: 'user', content: 'Reply with the word "ready".' }],
      tools: [],
      signal: ended,
    });
    for await (const part of parts) if (part.type === 'text') break;
    return null;
  } catch (error) {
    if (error instanceof ModelError) return error;
    if (ended.aborted) return new ModelError('stalled', 'The provider did not answer in time.');
    throw error;
  }
}
