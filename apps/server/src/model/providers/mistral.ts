import { createMistral } from '@ai-sdk/mistral';
import type { ModelSettings } from '@parley/protocol/settings/model';
import { type ProviderModel, type ProviderInput, required } from '../provider-model.ts';

type Settings = Extract<ModelSettings, { provider: 'mistral' }>;

export const mistral = ({ settings, fetch }: ProviderInput<Settings>): ProviderModel => {
  const { model, apiKey, baseUrl } = settings;
  const provider = createMistral({
    apiKey: required(apiKey, 'apiKey'),
    fetch,
    ...(baseUrl && { baseURL: baseUrl }),
  });
  return { model: provider(model), embedding: (name) => provider.embeddingModel(name) };
};
