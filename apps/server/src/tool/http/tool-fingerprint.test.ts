import type { HttpToolSettings } from '@parley/protocol/settings/http-tool';
import { expect, test } from 'vitest';
import { toolFingerprint } from './tool-fingerprint.ts';

const settings: HttpToolSettings = {
  id: 'tool_1',
  createdAt: '2026-01-01T00:00:00.000Z',
  agentId: 'agent_1',
  kind: 'http',
  name: 'refund',
  description: 'Refunds.',
  parameters: { type: 'object' },
  approval: 'once',
  interfaces: ['chat'],
  visibility: 'status',
  timeoutMs: 10_000,
  request: { method: 'POST', url: 'https://shop.example.com/' },
};

const withToken = ($secret: string) =>
  toolFingerprint({
    ...settings,
    request: {
      ...settings.request,
      query: { token: { $secret } },
      body: { account: { token: { $secret } } },
    },
  });

test('a secret that is rotated leaves an approval standing', () => {
  expect(withToken('second-{{account}}')).toBe(withToken('first-{{account}}'));
});

test('what is filled into a secret is approved with it', () => {
  expect(withToken('key-{{other}}')).not.toBe(withToken('key-{{account}}'));
  expect(withToken('key')).not.toBe(withToken('key-{{account}}'));
});
