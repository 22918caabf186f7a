import { createAnthropic } from '@ai-sdk/anthropic';
import type { ModelSettings } from '@parley/protocol/settings/model';
import { type ProviderModel, type ProviderInput, required } from '../provider-model.ts';

type Settings = Extract<ModelSettings, { provider: 'anthropic' }>;

export const anthropic = ({ settings, fetch }: ProviderInput<Settings>): ProviderModel => {
  const { model, apiKey, baseUrl } = settings;
  const provider = createAnthropic({
    apiKey: required(apiKey, 'apiKey'),
    fetch,
    ...(baseUrl && { baseURL: baseUrl }),
  });
  return { model: provider(model) };
};
