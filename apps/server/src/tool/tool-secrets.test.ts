import { type ToolSettings, toolAnswerSchema } from '@parley/protocol/settings/tool';
import { expect, test } from 'vitest';
import { joinToolSettings, maskToolSecrets, splitToolSettings } from './tool-secrets.ts';

const settings: ToolSettings = {
  id: 'tool_1',
  createdAt: '2026-01-01T00:00:00.000Z',
  agentId: 'agent_1',
  kind: 'http',
  name: 'act',
  description: 'Acts.',
  parameters: { type: 'object' },
  approval: 'never',
  interfaces: ['chat'],
  visibility: 'status',
  timeoutMs: 10_000,
  request: {
    method: 'POST',
    url: 'https://shop.example.com/',
    query: { a: '1' },
    headers: { Authorization: 'Bearer canary-secret-value', 'X-Pin': 'canary1234' },
    body: { a: 1 },
  },
};

test('no header value stays in the plain part, and joining gives the settings back', () => {
  const { config, secrets } = splitToolSettings(settings);
  expect(JSON.stringify(config)).not.toMatch(/canary/);
  expect(joinToolSettings(config, secrets)).toEqual(settings);
  expect(joinToolSettings(config, JSON.parse(JSON.stringify(secrets)))).toEqual(settings);
});

test('settings without headers come back without them', () => {
  const { headers: _headers, ...request } = settings.request;
  const { config, secrets } = splitToolSettings({ ...settings, request });
  expect(secrets).toEqual({});
  expect(joinToolSettings(config, secrets)).toEqual({ ...settings, request });
});

test('an answer shows the last characters of long values only', () => {
  const { config, secrets } = splitToolSettings(settings);
  const headers = maskToolSecrets(secrets);
  expect(headers).toEqual({ Authorization: { set: true, last4: 'alue' }, 'X-Pin': { set: true, last4: '' } });
  const answer = { ...config, idempotent: false, request: { ...config.request, headers } };
  expect(toolAnswerSchema.safeParse(answer).success).toBe(true);
});
