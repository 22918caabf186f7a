import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import type { ModelSettings } from '@parley/protocol/settings/model';
import { type ProviderModel, type ProviderInput, required } from '../provider-model.ts';

type Settings = Extract<ModelSettings, { provider: 'amazon-bedrock' }>;

export const amazonBedrock = ({ settings, fetch }: ProviderInput<Settings>): ProviderModel => {
  const { model, region, apiKey, baseUrl } = settings;
  const provider = createAmazonBedrock({
    region,
    fetch,
    ...(baseUrl && { baseURL: baseUrl }),
    ...(apiKey === undefined ? signing(settings) : { apiKey }),
  });
  return { model: provider(model), embedding: (name) => provider.embeddingModel(name) };
};

const signing = ({ region, accessKeyId, secretAccessKey, sessionToken }: Settings) => {
  const credentials = {
    region,
    accessKeyId: required(accessKeyId, 'apiKey or accessKeyId'),
    secretAccessKey: required(secretAccessKey, 'secretAccessKey'),
    ...(sessionToken !== undefined && { sessionToken }),
  };
  // An empty key keeps the provider from taking one out of the environment.
  return { apiKey: '', credentialProvider: async () => credentials };
};
