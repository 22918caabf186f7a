import type { FailureCause } from '@parley/protocol/failure-cause';
import { expect, test, vi } from 'vitest';
import { requireModel } from './require-model.ts';

const model = { provider: 'openai', model: 'gpt', apiKey: 'sk-1' } as const;
const ours = {
  provider: 'openai-compatible',
  model: 'llama',
  baseUrl: 'https://models.example.com/v1',
} as const;

/** The trial's answer, and what it was asked. */
function trial(answer: object) {
  const asked: [string, unknown][] = [];
  vi.stubGlobal('fetch', async (url: string, { body }: { body: string }) => {
    asked.push([url, JSON.parse(body)]);
    return Response.json(answer);
  });
  return asked;
}

test('a key that answers is tried with one call', async () => {
  const asked = trial({ status: 'completed', durationMs: 9 });
  await requireModel('agent_1', model);
  expect(asked).toEqual([['/api/v1/settings/agents/agent_1/test-model', { model }]]);
});

test('a key that the provider refuses is said so at its field, in words', async () => {
  const cause = { code: 'MODEL_KEY_REJECTED', message: '401', action: '' };
  trial({ status: 'failed', durationMs: 9, cause });
  const sentence = 'The provider does not accept the API key. Enter it again, or make a new one there.';
  await expect(requireModel('agent_1', model)).rejects.toMatchObject({
    message: sentence,
    fields: { 'model.apiKey': sentence },
  });
});

test.each<[FailureCause['code'], typeof model | typeof ours, string]>([
  ['MODEL_NOT_FOUND', model, 'model.model'],
  ['MODEL_UNREACHABLE', model, 'model.apiKey'],
  ['MODEL_UNREACHABLE', ours, 'model.baseUrl'],
  ['MODEL_MALFORMED', ours, 'model.baseUrl'],
  ['MODEL_KEY_REJECTED', ours, 'model.apiKey'],
])('%s is said where it can be mended', async (code, tried, field) => {
  trial({ status: 'failed', durationMs: 9, cause: { code, message: '', action: '' } });
  await expect(requireModel('agent_1', tried)).rejects.toMatchObject({
    fields: { [field]: expect.any(String) },
  });
});
