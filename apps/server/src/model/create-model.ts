import type { ModelSettings, ReasoningSettings } from '@parley/protocol/settings/model';
import { boundedFetch } from './bounded-fetch.ts';
import type { Model } from './model.ts';
import { ModelError } from './model-error.ts';
import { type ModelTiming, providerTiming, timingFor } from './model-timing.ts';
import type { ProviderModel, ProviderInput } from './provider-model.ts';
import { withSafeNames } from './with-safe-names.ts';

export interface ModelOptions {
  readonly settings: ModelSettings;
  readonly reasoning: ReasoningSettings;
  readonly temperature: number | undefined;
  readonly maxOutputTokens: number | undefined;
  /** What the settings leave out: the agent's stored credentials, or the operator's where the agent has none. */
  readonly credentials: ModelCredentials;
  /** The only way out to a provider. */
  readonly fetch: typeof globalThis.fetch;
  readonly timing?: ModelTiming;
}

export interface ModelCredentials {
  readonly apiKey?: string | undefined;
  readonly secretAccessKey?: string | undefined;
  readonly sessionToken?: string | undefined;
}

/** What no header of HTTP can have: control characters, and whatever is not of Latin-1. */
const unsendable = /[^\t\x20-\x7e\x80-\xff]/;

/** The model of an agent. Loads the provider's code on first use; rejects with a `ModelError` when a setting is missing or cannot be sent. */
export const createModel = async (options: ModelOptions): Promise<Model> => {
  const { settings, reasoning, temperature, maxOutputTokens, credentials } = options;
  // The client would refuse the request in words that repeat the key.
  if (unsendable.test(credentials.apiKey ?? ''))
    throw new ModelError('key-rejected', 'The API key has characters that no header can have.');
  const [{ aiSdkModel }, provided] = await Promise.all([import('./ai-sdk.ts'), provide(options)]);
  const isRemote = settings.provider !== 'scripted' && settings.provider !== 'quoting';
  const model = aiSdkModel({
    model: provided.model,
    settings: {
      reasoning: reasoning.effort ?? 'provider-default',
      ...(temperature !== undefined && { temperature }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    },
    ...(provided.providerOptions && { providerOptions: provided.providerOptions }),
    showReasoning: reasoning.show,
    ...(isRemote && { timing: timingFor(options.timing ?? providerTiming, reasoning) }),
  });
  return isRemote ? withSafeNames(model) : model;
};

export const provide = async ({
  settings,
  credentials,
  reasoning,
  fetch,
}: Pick<ModelOptions, 'settings' | 'credentials' | 'reasoning' | 'fetch'>): Promise<ProviderModel> => {
  const input = <Settings extends ModelSettings>(own: Settings): ProviderInput<Settings> => ({
    settings: { ...own, ...credentials },
    showReasoning: reasoning.show,
    fetch: boundedFetch(fetch),
  });
  switch (settings.provider) {
    case 'scripted':
      return { model: (await import('./scripted/scripted.ts')).scripted(settings.model, settings.script) };
    case 'quoting':
      return { model: (await import('./quoting/quoting.ts')).quoting(settings.model) };
    case 'openai':
      return (await import('./providers/openai.ts')).openai(input(settings));
    case 'anthropic':
      return (await import('./providers/anthropic.ts')).anthropic(input(settings));
    case 'google':
      return (await import('./providers/google.ts')).google(input(settings));
    case 'mistral':
      return (await import('./providers/mistral.ts')).mistral(input(settings));
    case 'azure':
      return (await import('./providers/azure.ts')).azure(input(settings));
    case 'amazon-bedrock':
      return (await import('./providers/amazon-bedrock.ts')).amazonBedrock(input(settings));
    case 'openai-compatible':
      return (await import('./providers/openai-compatible.ts')).openaiCompatible(input(settings));
  }
};
