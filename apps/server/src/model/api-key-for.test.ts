import { expect, test } from 'vitest';
import { apiKeyFor } from './api-key-for.ts';

const openai = { provider: 'openai', model: 'gpt-5' } as const;
const bedrock = { provider: 'amazon-bedrock', model: 'nova', region: 'eu-central-1' } as const;
const keys = { openai: 'operator', 'amazon-bedrock': 'operator' };

test("an agent's own key comes before the operator's", () => {
  expect(apiKeyFor(openai, { apiKey: 'own' }, keys)).toBe('own');
  expect(apiKeyFor(openai, {}, keys)).toBe('operator');
  expect(apiKeyFor(openai, {}, {})).toBeUndefined();
});

test("the operator's key never goes to an address the tenant chose", () => {
  expect(apiKeyFor({ ...openai, baseUrl: 'https://tenant.example' }, {}, keys)).toBeUndefined();
  expect(apiKeyFor({ ...openai, baseUrl: 'https://tenant.example' }, { apiKey: 'own' }, keys)).toBe('own');
});

test("the operator's key does not stand in for an agent that signs with its own", () => {
  expect(apiKeyFor(bedrock, { secretAccessKey: 'own' }, keys)).toBeUndefined();
});
