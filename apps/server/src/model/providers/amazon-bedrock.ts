import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { awsRegionPattern, type ModelSettings } from '@parley/protocol/settings/model';
import { ModelError } from '../model-error.ts';
import { type ProviderModel, type ProviderInput, required } from '../provider-model.ts';

type Settings = Extract<ModelSettings, { provider: 'amazon-bedrock' }>;

export const amazonBedrock = ({ settings, fetch }: ProviderInput<Settings>): ProviderModel => {
  const { model, region, apiKey, baseUrl } = settings;
  // One that an earlier version has stored may name another host, which would be sent the operator's key; with an address of
  // its own it is a part of none.
  if (!baseUrl && !awsRegionPattern.test(region))
    throw new ModelError('misconfigured', 'The region is none of AWS.');
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
