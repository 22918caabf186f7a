import type { AgentView } from '@parley/protocol/settings/agent';
import type { ModelProvider } from '@parley/protocol/settings/model';
import type { AgentEntries } from '../agent/agent-entries.ts';
import { isBuiltIn, providers } from '../agent/providers.ts';

type ModelEntries = Pick<AgentEntries, 'provider' | 'model' | 'baseUrl' | 'apiKey'>;

/** Keys that one provider alone gives out. `sk-` alone is what a dozen of them do, so nothing is concluded from it. */
const shapes: readonly (readonly [RegExp, ModelProvider])[] = [
  [/^sk-ant-/, 'anthropic'],
  // Keys of projects and service accounts, and any key of OpenAI: in its middle stands its name in Base64.
  [/^sk-(?:proj|svcacct)-|^sk-[\w-]+T3BlbkFJ/, 'openai'],
  [/^AIza[\w-]{35}$/, 'google'],
];

/** Whose key it is, where the key itself says so. */
export const providerOfKey = (key: string): ModelProvider | null =>
  shapes.find(([shape]) => shape.test(key.trim()))?.[1] ?? null;

/** Those that an agent can be started with: others need more than a key, an address and the name of a model. */
const started: readonly string[] = ['quoting', 'openai', 'anthropic', 'google', 'mistral'];

/** What may write the answers, with `current` in any case, and at the end any service that has an address. */
export const providerChoices = (current: string): { readonly id: string; readonly name: string }[] => [
  ...[...new Set([...started, current])].flatMap((id) =>
    providers.filter((provider) => provider.id === id && id !== 'openai-compatible'),
  ),
  { id: 'openai-compatible', name: 'Another provider' },
];

/** The entries that change with the provider: a model of another one means nothing to it. */
export function withProvider(provider: string, stored: ModelEntries): Omit<ModelEntries, 'apiKey'> {
  if (provider === stored.provider) return { provider, model: stored.model, baseUrl: stored.baseUrl };
  const example = providers.find(({ id }) => id === provider)?.example ?? '';
  return { provider, model: provider === 'openai-compatible' ? '' : example, baseUrl: '' };
}

/** The entries that change with the key. A provider that the key before it named is not left standing for this one. */
export function withKey(apiKey: string, entries: ModelEntries, stored: ModelEntries): Partial<ModelEntries> {
  const [before, now] = [providerOfKey(entries.apiKey), providerOfKey(apiKey)];
  if (before === now) return { apiKey };
  return { apiKey, ...withProvider(now ?? stored.provider, stored) };
}

/** What is wrong with the choice of a model, by field. */
export const modelProblems = ({ apiKey, provider }: ModelEntries): Record<string, string> =>
  apiKey.trim() !== '' && isBuiltIn(provider)
    ? { provider: 'The key does not tell whose it is. Choose the provider that gave it to you.' }
    : {};

/** Whether what is entered has to be tried before it is stored. */
export const isAnotherModel = ({ apiKey, provider, model, baseUrl }: ModelEntries, stored: ModelEntries) =>
  !isBuiltIn(provider) &&
  (apiKey.trim() !== '' ||
    provider !== stored.provider ||
    model.trim() !== stored.model ||
    baseUrl.trim() !== stored.baseUrl);

/** Who writes the answers as the agent is stored, in a sentence. */
export const writerSentence = ({ provider, model }: AgentView['model']): string =>
  provider === 'quoting'
    ? 'Without a model it quotes your pages, word for word and with their addresses. A model answers in its own words.'
    : `Answers are written by ${model}.`;
