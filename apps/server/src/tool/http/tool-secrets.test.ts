import { type HttpToolSettings, httpToolViewSchema } from '@parley/protocol/settings/http-tool';
import { expect, test } from 'vitest';
import { markSecrets, requestTemplate } from './secret-values.ts';
import { joinToolSettings, maskToolSecrets, splitToolSettings } from './tool-secrets.ts';

const settings: HttpToolSettings = {
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
    query: { a: '1', api_key: { $secret: 'canary-in-a-query' } },
    headers: { Authorization: 'Bearer canary-secret-value', 'X-Pin': 'canary1234' },
    body: { a: 1, login: [{ $secret: 'canary1234' }] },
  },
};

test('no secret stays in the plain part, and joining gives the settings back', () => {
  const { config, secrets } = splitToolSettings(settings);
  expect(JSON.stringify(config)).not.toMatch(/canary/);
  expect(joinToolSettings(config, secrets)).toEqual(settings);
  expect(joinToolSettings(JSON.parse(JSON.stringify(config)), JSON.parse(JSON.stringify(secrets)))).toEqual(
    settings,
  );
});

test('settings without secrets come back without them', () => {
  const { method, url } = settings.request;
  const plain = { ...settings, request: { method, url, query: { a: '1' }, body: { a: 1 } } };
  const { config, secrets } = splitToolSettings(plain);
  expect(secrets).toEqual({ headers: {}, values: [] });
  expect(config).toEqual(plain);
  expect(joinToolSettings(config, secrets)).toEqual(plain);
});

test('an answer shows the last characters of long values only', () => {
  const request = maskToolSecrets(settings.request);
  expect(request).toEqual({
    ...settings.request,
    query: { a: '1', api_key: { $secret: { set: true, last4: 'uery' } } },
    headers: { Authorization: { set: true, last4: 'alue' }, 'X-Pin': { set: true, last4: '' } },
    body: { a: 1, login: [{ $secret: { set: true, last4: '' } }] },
  });
  expect(httpToolViewSchema.safeParse({ ...settings, idempotent: false, request }).success).toBe(true);
});

test('a string under a credential’s name is a secret, a template or another name is none', () => {
  const request = {
    method: 'POST' as const,
    url: 'https://shop.example.com/',
    query: { key: 'k-123', apiKey: 'a-123', page: '2', token: '{{token}}', sig: 'x{{token}}' },
    body: { author: 'Ida', key: 'size', auth: { password: 'p' }, accessTokens: ['t', 1], max_tokens: 5 },
  };
  const secret = (text: string) => ({ $secret: text });
  const marked = markSecrets(request);
  expect(marked).toEqual({
    ...request,
    query: {
      key: secret('k-123'),
      apiKey: secret('a-123'),
      page: '2',
      token: '{{token}}',
      sig: secret('x{{token}}'),
    },
    body: {
      author: 'Ida',
      key: 'size',
      auth: { password: secret('p') },
      accessTokens: [secret('t'), 1],
      max_tokens: 5,
    },
  });
  expect(markSecrets(marked)).toEqual(marked);
  expect(requestTemplate(marked)).toEqual({
    template: request,
    secrets: ['k-123', 'a-123', 'x{{token}}', 'p', 't'],
  });
});
