import type { EmbeddingModelV4, LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { ModelSettings } from '@parley/protocol/settings/model';
import { ModelError } from './model-error.ts';

/** What a provider gives: its language model, and the options of its own that every call carries. */
export interface ProviderModel {
  readonly model: LanguageModelV4;
  readonly providerOptions?: SharedV4ProviderOptions;
  /** A model of this name that turns texts into vectors, where the provider offers any. */
  readonly embedding?: (name: string) => EmbeddingModelV4;
}

export interface ProviderInput<Settings extends ModelSettings> {
  readonly settings: Settings;
  readonly showReasoning: boolean;
  readonly fetch: typeof globalThis.fetch;
}

/** A setting the provider cannot do without. Left undefined, providers would look for it in the environment. */
export const required = (value: string | undefined, name: string): string => {
  if (value === undefined) throw new ModelError('setting-missing', `The model needs ${name}.`);
  return value;
};
