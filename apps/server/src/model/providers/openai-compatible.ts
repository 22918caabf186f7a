import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { ModelSettings } from '@parley/protocol/settings/model';
import type { ProviderModel, ProviderInput } from '../provider-model.ts';

type Settings = Extract<ModelSettings, { provider: 'openai-compatible' }>;

export const openaiCompatible = ({ settings, fetch }: ProviderInput<Settings>): ProviderModel => {
  const { model, apiKey, baseUrl } = settings;
  const provider = createOpenAICompatible({
    name: 'openai-compatible',
    baseURL: baseUrl,
    includeUsage: true,
    supportsStructuredOutputs: true,
    fetch,
    ...(apiKey !== undefined && { apiKey }),
  });
  return { model: provider(model), embedding: (name) => provider.embeddingModel(name) };
};
