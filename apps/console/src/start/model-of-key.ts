import type { AgentEntries } from '../agent/agent-entries.ts';
import { providers } from '../agent/providers.ts';

/** How the keys of providers begin, the longest first. */
const beginnings = [
  ['sk-ant-', 'anthropic'],
  ['sk-', 'openai'],
  ['AIza', 'google'],
] as const;

/** Whose key it is, and the model that is taken for a start; null for one that does not tell. */
export function modelOfKey(
  key: string,
): { readonly provider: string; readonly name: string; readonly model: string } | null {
  const id = beginnings.find(([beginning]) => key.trim().startsWith(beginning))?.[1];
  const provider = providers.find((each) => each.id === id);
  return provider ? { provider: provider.id, name: provider.name, model: provider.example } : null;
}

/** The entries with the model that the key is for; without a key as they are. */
export function withModelOfKey(entries: AgentEntries): AgentEntries {
  const found = modelOfKey(entries.apiKey);
  if (found === null) return { ...entries, apiKey: '' };
  return { ...entries, apiKey: entries.apiKey.trim(), provider: found.provider, model: found.model };
}
