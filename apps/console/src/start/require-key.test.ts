import { expect, test, vi } from 'vitest';
import { requireKey } from './require-key.ts';

const model = { provider: 'openai', model: 'gpt', apiKey: 'sk-1' } as const;

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
  await requireKey('agent_1', model);
  expect(asked).toEqual([['/api/v1/settings/agents/agent_1/test-model', { model }]]);
});

test('a key that the provider refuses is said so at its field, in words', async () => {
  const cause = { code: 'MODEL_KEY_REJECTED', message: '401', action: '' };
  trial({ status: 'failed', durationMs: 9, cause });
  const sentence = 'The provider does not accept the API key. Enter it again, or make a new one there.';
  await expect(requireKey('agent_1', model)).rejects.toMatchObject({
    message: sentence,
    fields: { 'model.apiKey': sentence },
  });
});
