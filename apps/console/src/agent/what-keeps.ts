import type { AgentView } from '@parley/protocol/settings/agent';
import type { KeyView } from '@parley/protocol/settings/key';
import { providerName, providers } from './providers.ts';

interface Reason {
  readonly text: string;
  /** Where it is mended. */
  readonly tab?: { readonly name: string; readonly path: readonly string[] };
}

const website = { name: 'Add its address', path: ['website'] };
const model = { name: 'Choose a model', path: [] };

/** Why visitors are not answered as they should be, by what is live; `keys` is null until they are known. */
export function whatKeeps(agent: AgentView, keys: readonly KeyView[] | null): readonly Reason[] {
  const reasons: Reason[] = [];
  if (!agent.active) reasons.push({ text: 'Nobody is answered until it goes live again.' });
  const publishable = keys?.filter(({ kind }) => kind === 'publishable');
  if (keys?.length === 0)
    reasons.push({ text: 'It has no key, so no page and no server reaches it.', tab: website });
  else if (
    publishable &&
    publishable.length > 0 &&
    publishable.every(({ allowedOrigins }) => allowedOrigins.length === 0)
  )
    reasons.push({ text: 'No website may use its key yet.', tab: website });
  const { provider } = agent.model;
  if (provider === 'scripted' && JSON.stringify(agent.model.script).includes('{{input}}'))
    reasons.push({ text: 'It has no model, and repeats what visitors say.', tab: model });
  const needsKey = providers.find(({ id }) => id === provider)?.needs.includes('apiKey');
  if (needsKey && provider !== 'openai-compatible' && !('apiKey' in agent.model && agent.model.apiKey))
    reasons.push({
      text: `No API key of ${providerName(provider)} is stored, so it answers only if the service’s operator has one.`,
      tab: model,
    });
  return reasons;
}
