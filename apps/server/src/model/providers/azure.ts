import { createAzure } from '@ai-sdk/azure';
import type { ModelSettings } from '@parley/protocol/settings/model';
import { type ProviderModel, type ProviderInput, required } from '../provider-model.ts';
import { responsesOptions } from './responses-options.ts';

type Settings = Extract<ModelSettings, { provider: 'azure' }>;

export const azure = ({ settings, showReasoning, fetch }: ProviderInput<Settings>): ProviderModel => {
  const { model, apiKey, baseUrl, resourceName, apiVersion } = settings;
  const provider = createAzure({
    apiKey: required(apiKey, 'apiKey'),
    fetch,
    ...(baseUrl ? { baseURL: baseUrl } : { resourceName: required(resourceName, 'resourceName or baseUrl') }),
    ...(apiVersion && { apiVersion }),
  });
  return {
    model: provider.responses(model),
    providerOptions: { azure: responsesOptions(showReasoning) },
    embedding: (name) => provider.embeddingModel(name),
  };
};
