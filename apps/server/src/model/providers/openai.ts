import { createOpenAI } from '@ai-sdk/openai';
import type { ModelSettings } from '@parley/protocol/settings/model';
import { type ProviderModel, type ProviderInput, required } from '../provider-model.ts';
import { responsesOptions } from './responses-options.ts';

type Settings = Extract<ModelSettings, { provider: 'openai' }>;

export const openai = ({ settings, showReasoning, fetch }: ProviderInput<Settings>): ProviderModel => {
  const { model, apiKey, baseUrl, organization } = settings;
  const provider = createOpenAI({
    apiKey: required(apiKey, 'apiKey'),
    fetch,
    ...(baseUrl && { baseURL: baseUrl }),
    ...(organization && { organization }),
  });
  return {
    model: provider.responses(model),
    providerOptions: { openai: responsesOptions(showReasoning) },
    embedding: (name) => provider.embeddingModel(name),
  };
};
