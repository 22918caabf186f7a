import { agentSettingsSchema, type AgentView } from '@parley/protocol/settings/agent';
import { modelTestSchema } from '@parley/protocol/settings/model-test';
import { expect, test } from 'vitest';
import { entriesOf } from './agent-entries.ts';
import { conductOf } from './conduct-entries.ts';
import { trialSentence } from './model-cause.ts';
import { trialOf } from './trial-of.ts';

const agent = agentSettingsSchema.parse({
  id: 'agent_1',
  tenantId: 'tenant_1',
  name: 'Fern',
  createdAt: '2026-08-01T00:00:00.000Z',
  model: { provider: 'openai', model: 'm' },
  reasoning: { effort: 'low' },
}) as AgentView;
const entries = { ...entriesOf(agent), ...conductOf(agent) };

test('a model is tried with the reasoning that is entered, the model’s own too', () => {
  const trial = (changes: Partial<typeof entries>) =>
    modelTestSchema.parse(trialOf({ ...entries, ...changes }, agent.model));
  const model = { provider: 'openai', model: 'm' };
  expect(trial({})).toEqual({ model, reasoning: { effort: 'low', show: false } });
  expect(trial({ effort: 'high', showReasoning: 'yes' })).toEqual({
    model,
    reasoning: { effort: 'high', show: true },
  });
  expect(trial({ effort: '' })).toEqual({ model, reasoning: { show: false } });
});

test('a refusal names the reasoning where some was chosen, and nowhere else', () => {
  const refused = { code: 'MODEL_REJECTED', message: 'canary' } as const;
  expect(trialSentence(refused, 'high')).toMatch(/may not take the reasoning that is chosen/);
  expect(trialSentence(refused, '')).not.toMatch(/reasoning|canary/);
  const rejected = { code: 'MODEL_KEY_REJECTED', message: 'canary' } as const;
  expect(trialSentence(rejected, 'high')).toMatch(/API key/);
});
