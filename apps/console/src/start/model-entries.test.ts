import { expect, test } from 'vitest';
import { isAnotherModel, modelProblems, providerChoices, providerOfKey, withKey } from './model-entries.ts';

const stored = { provider: 'quoting', model: 'quoting', baseUrl: '', apiKey: '' };

test.each([
  ['sk-ant-api03-abc', 'anthropic'],
  ['  sk-proj-abc\n', 'openai'],
  ['sk-svcacct-abc', 'openai'],
  ['sk-abcdefghijklmnopqrstT3BlbkFJabcdefghijklmnopqrst', 'openai'],
  [`AIza${'a'.repeat(35)}`, 'google'],
])('%s names its provider', (key, provider) => {
  expect(providerOfKey(key)).toBe(provider);
});

test.each([
  // DeepSeek, Moonshot and many others.
  'sk-0123456789abcdef0123456789abcdef',
  'sk-or-v1-0123456789abcdef',
  'gsk_0123456789abcdef',
  'xai-0123456789abcdef',
  'AIzahori-server-key',
  '0123456789abcdef',
  '',
])('%s names none, and goes nowhere before somebody has chosen', (apiKey) => {
  expect(providerOfKey(apiKey)).toBeNull();
  const entries = { ...stored, ...withKey(apiKey, stored, stored) };
  expect(entries).toEqual({ ...stored, apiKey });
  expect(modelProblems(entries)).toEqual(apiKey === '' ? {} : { provider: expect.any(String) });
  expect(modelProblems({ ...entries, provider: 'mistral' })).toEqual({});
});

test('a key that names its provider chooses it, with a model of it', () => {
  expect(withKey('sk-ant-1', stored, stored)).toMatchObject({
    provider: 'anthropic',
    model: expect.stringContaining('claude'),
  });
});

test('the provider of one key is not taken for that of the next', () => {
  const first = { ...stored, ...withKey('sk-proj-1', stored, stored) };
  expect(withKey('sk-0123', first, stored)).toMatchObject({ apiKey: 'sk-0123', provider: 'quoting' });
  expect(withKey('', first, stored)).toMatchObject({ provider: 'quoting' });
  expect(withKey('sk-ant-1', first, stored)).toMatchObject({ provider: 'anthropic' });
});

test('a provider that somebody chose stays while the key is corrected', () => {
  const chosen = {
    provider: 'openai-compatible',
    model: 'llama',
    baseUrl: 'https://a.example',
    apiKey: 'sk-1',
  };
  expect(withKey('sk-2', chosen, stored)).toEqual({ apiKey: 'sk-2' });
  // It may be the key of a proxy in front of that provider; typed further it still begins in the same way.
  expect(withKey('sk-ant-12', { ...chosen, apiKey: 'sk-ant-1' }, stored)).toEqual({ apiKey: 'sk-ant-12' });
});

test('what the agent has is among the choices, whatever it is', () => {
  const ids = (current: string) => providerChoices(current).map(({ id }) => id);
  expect(ids('quoting')).toEqual([
    'quoting',
    'openai',
    'anthropic',
    'google',
    'mistral',
    'openai-compatible',
  ]);
  expect(ids('openai-compatible')).toEqual(ids('quoting'));
  expect(ids('amazon-bedrock')).toContain('amazon-bedrock');
});

test('a model is tried again once anything of it is another', () => {
  const ours = { provider: 'openai-compatible', model: 'llama', baseUrl: 'https://a.example', apiKey: '' };
  expect(isAnotherModel(ours, ours)).toBe(false);
  expect(isAnotherModel(stored, ours)).toBe(false);
  for (const change of [{ model: 'b' }, { baseUrl: 'https://b.example' }, { apiKey: 'k' }])
    expect(isAnotherModel({ ...ours, ...change }, ours)).toBe(true);
  expect(isAnotherModel(ours, stored)).toBe(true);
});
