import { createGoogle } from '@ai-sdk/google';
import type { ModelSettings } from '@parley/protocol/settings/model';
import { type ProviderModel, type ProviderInput, required } from '../provider-model.ts';

type Settings = Extract<ModelSettings, { provider: 'google' }>;

export const google = ({ settings, showReasoning, fetch }: ProviderInput<Settings>): ProviderModel => {
  const { model, apiKey, baseUrl } = settings;
  const provider = createGoogle({
    apiKey: required(apiKey, 'apiKey'),
    fetch,
    ...(baseUrl && { baseURL: baseUrl }),
  });
  return {
    model: provider(model),
    embedding: (name) => provider.embeddingModel(name),
    // Left out otherwise: models that do not think refuse the field.
    ...(showReasoning && { providerOptions: { google: { thinkingConfig: { includeThoughts: true } } } }),
  };
};
