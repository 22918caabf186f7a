import { agentPatchSchema, type AgentView } from '@parley/protocol/settings/agent';
import { expect, test } from 'vitest';
import { emptyEntries, entryField, entryProblems, patchOf } from './agent-entries.ts';
import { providers } from './providers.ts';

const whole = {
  ...emptyEntries,
  name: ' Fern ',
  model: 'm',
  baseUrl: 'https://models.example.com/v1',
  region: 'eu-central-1',
};

test.each(providers)('what the form makes of $id is what the service takes', ({ id }) => {
  const entries = { ...whole, provider: id };
  expect(entryProblems(entries)).toEqual({});
  const patch = agentPatchSchema.parse(patchOf(entries, null));
  expect(patch).toMatchObject({ name: 'Fern', model: { provider: id } });
});

test('what the form does not show of a model is kept, and a key only if one is entered', () => {
  const stored = {
    provider: 'openai',
    model: 'old',
    organization: 'firm',
    apiKey: { set: true, last4: '1234' },
  } as AgentView['model'];
  const entries = { ...whole, provider: 'openai' };
  expect(patchOf(entries, stored).model).toEqual({ provider: 'openai', model: 'm', organization: 'firm' });
  expect(patchOf({ ...entries, apiKey: 'sk' }, stored).model).toMatchObject({ apiKey: 'sk' });
  // Another provider is another place: nothing of the first goes there.
  expect(patchOf({ ...entries, provider: 'mistral' }, stored).model).toEqual({
    provider: 'mistral',
    model: 'm',
  });
  const script = [{ steps: [{ say: 'Hello.' }] }];
  const scripted = { provider: 'scripted', model: 'scripted', script } as AgentView['model'];
  expect(patchOf({ ...entries, provider: 'scripted' }, scripted).model).toMatchObject({ script });
});

test('what is missing or wrong is a sentence at its field', () => {
  const entries = {
    ...emptyEntries,
    provider: 'openai-compatible',
    accent: 'red',
    prompts: 'One?\n\nTwo?\nThree?\nFour?\nFive?',
  };
  expect(Object.keys(entryProblems(entries)).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'accent',
    'baseUrl',
    'model',
    'name',
    'prompts',
  ]);
  expect(['widget.prompts.3', 'model.apiKey', 'name'].map(entryField)).toEqual(['prompts', 'apiKey', 'name']);
});
