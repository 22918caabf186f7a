import { createGoogle } from '@ai-sdk/google';
import type { ModelSettings } from '@parley/protocol/settings/model';
import { exactEvents } from '../../egress/exact-events.ts';
import { type ProviderModel, type ProviderInput, required } from '../provider-model.ts';

type Settings = Extract<ModelSettings, { provider: 'google' }>;

export const google = ({ settings, showReasoning, fetch }: ProviderInput<Settings>): ProviderModel => {
  const { model, apiKey, baseUrl } = settings;
  const provider = createGoogle({
    apiKey: required(apiKey, 'apiKey'),
    fetch: exactFetch(fetch),
    ...(baseUrl && { baseURL: baseUrl }),
  });
  return {
    model: provider(model),
    embedding: (name) => provider.embeddingModel(name),
    // Left out otherwise: models that do not think refuse the field.
    ...(showReasoning && { providerOptions: { google: { thinkingConfig: { includeThoughts: true } } } }),
  };
};

/** Arguments of calls are parsed with the event that they are in: their long numbers are texts before that. */
const exactFetch =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    const { body, status, statusText, headers } = response;
    if (body === null || !headers.get('content-type')?.includes('text/event-stream')) return response;
    return new Response(ReadableStream.from(exactEvents(body)), { status, statusText, headers });
  };
