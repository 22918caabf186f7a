import type { ModelSettings } from '@parley/protocol/settings/model';
import type { ModelCredentials } from './create-model.ts';

/**
 * The agent's own key, or the operator's where the agent has no credentials. The operator's goes to the provider's own
 * address alone: a `baseUrl` is the tenant's choice, and what answers there would read it.
 */
export const apiKeyFor = (
  settings: ModelSettings,
  credentials: ModelCredentials,
  operatorKeys: Readonly<Record<string, string>>,
): string | undefined => {
  if (credentials.apiKey !== undefined || credentials.secretAccessKey !== undefined)
    return credentials.apiKey;
  const elsewhere = 'baseUrl' in settings && settings.baseUrl !== undefined;
  return elsewhere ? undefined : operatorKeys[settings.provider];
};
