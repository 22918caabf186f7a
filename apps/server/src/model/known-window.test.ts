import { expect, test } from 'vitest';
import { knownWindow } from './known-window.ts';

test.each([
  ['openai', 'gpt-5.2', 200_000],
  ['openai', 'gpt-4o-mini', 128_000],
  ['openai', 'gpt-4', 8_000],
  ['openai', 'o1-mini', 128_000],
  ['anthropic', 'claude-sonnet-4-5', 200_000],
  ['google', 'gemini-2.5-pro', 200_000],
  ['mistral', 'magistral-small-2509', 40_000],
  ['amazon-bedrock', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0', 200_000],
  ['amazon-bedrock', 'meta.llama3-1-70b-instruct-v1:0', 128_000],
  ['amazon-bedrock', 'meta.llama3-8b-instruct-v1:0', 8_000],
  ['azure', 'our-deployment', 100_000],
  ['openai-compatible', 'our-model', 32_000],
  ['openai-compatible', 'meta-llama/Llama-3.3-70B-Instruct', 128_000],
  ['scripted', 'scripted', 100_000],
] as const)('%s %s takes %i tokens', (provider, model, tokens) => {
  expect(knownWindow({ provider, model })).toBe(tokens);
});
