import type { AgentPatch, AgentView } from '@parley/protocol/settings/agent';
import type { ModelPatch } from '@parley/protocol/settings/model';
import { isBuiltIn, providers } from './providers.ts';

/** An agent as the form shows it: every field is text. */
export const emptyEntries = {
  name: '',
  instructions: '',
  provider: 'quoting',
  model: '',
  apiKey: '',
  baseUrl: '',
  resourceName: '',
  region: '',
  greeting: 'Hi! How can I help?',
  prompts: '',
  accent: '#2563eb',
  theme: 'auto',
  position: 'end',
};
export type AgentEntries = typeof emptyEntries;

export function entriesOf({ name, instructions, model, widget }: AgentView): AgentEntries {
  const { provider, model: modelName, ...place } = model;
  const known = place as Partial<Record<string, unknown>>;
  const text = (field: string) => (typeof known[field] === 'string' ? known[field] : '');
  return {
    name,
    instructions,
    provider,
    model: modelName,
    // It is stored where nobody reads it again.
    apiKey: '',
    baseUrl: text('baseUrl'),
    resourceName: text('resourceName'),
    region: text('region'),
    greeting: widget.greeting,
    prompts: widget.prompts.join('\n'),
    accent: widget.accent,
    theme: widget.theme,
    position: widget.position,
  };
}

/** What is wrong with the entries, by field. */
export function entryProblems({ name, provider, model, prompts, accent, ...rest }: AgentEntries) {
  const found: Record<string, string> = {};
  const needs = providers.find(({ id }) => id === provider)?.needs ?? [];
  if (name.trim() === '') found['name'] = 'Give the agent a name.';
  if (!isBuiltIn(provider) && model.trim() === '') found['model'] = 'Enter the name of the model.';
  if (needs.includes('baseUrl') && !URL.canParse(rest.baseUrl))
    found['baseUrl'] = 'Enter the address of the service, such as https://models.example.com/v1.';
  if (needs.includes('region') && rest.region.trim() === '')
    found['region'] = 'Enter a region, such as eu-central-1.';
  const lines = promptLines(prompts);
  if (lines.length > 4) found['prompts'] = 'Four prompts at most: more than that nobody reads.';
  else if (lines.some((line) => line.length > 200)) found['prompts'] = 'A prompt has 200 characters at most.';
  if (!/^#[0-9a-f]{6}$/i.test(accent)) found['accent'] = 'Enter a colour such as #2563eb.';
  return found;
}

const promptLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** The fields that the agent is given; what the form does not show is left as it is. */
export function patchOf(
  entries: AgentEntries,
  before: AgentView['model'] | null,
): AgentPatch & { name: string } {
  const { name, instructions, greeting, prompts, accent } = entries;
  return {
    name: name.trim(),
    instructions,
    model: modelOf(entries, before),
    widget: {
      greeting,
      prompts: promptLines(prompts),
      accent: accent.toLowerCase(),
      theme: entries.theme as 'auto',
      position: entries.position as 'end',
    },
  };
}

/** Repeats what is said, so that an agent can be tried before it has a model. */
const echo = [{ steps: [{ say: 'You said: {{input}}' }] }];

function modelOf(entries: AgentEntries, before: AgentView['model'] | null): ModelPatch {
  const { provider, model, apiKey } = entries;
  if (provider === 'scripted') {
    const script = before?.provider === 'scripted' ? before.script : echo;
    return { provider, model: 'scripted', script };
  }
  if (provider === 'quoting') return { provider, model: 'quoting' };
  // Fields that the form does not show stay those of the same provider; a credential that is left out is kept.
  const kept: Record<string, unknown> = before?.provider === provider ? { ...before } : {};
  for (const credential of ['apiKey', 'secretAccessKey', 'sessionToken']) delete kept[credential];
  const needs = providers.find(({ id }) => id === provider)?.needs ?? [];
  for (const field of ['baseUrl', 'resourceName', 'region'] as const)
    if (needs.includes(field)) kept[field] = entries[field].trim() || undefined;
  return { ...kept, provider, model: model.trim(), ...(apiKey !== '' && { apiKey }) } as ModelPatch;
}

/** The field of the form that shows an issue of a field of the request. */
export const entryField = (path: string): string =>
  path.replace(/^(?:widget|model)\./, '').replace(/\.\d+$/, '');
