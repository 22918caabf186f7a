import type { ModelSettings } from '@parley/protocol/settings/model';

/**
 * Tokens that models are known to take, by their ids; the first pattern that fits counts. Where an id stands for
 * several models, the smallest: an entry that is too small costs a summary more, one that is too large a refused call.
 */
const windows: readonly (readonly [id: RegExp, tokens: number])[] = [
  [/gpt-3\.5/, 16_000],
  [/gpt-4-32k/, 32_000],
  [/gpt-4(-\d{4})?$/, 8_000],
  [/gpt-4\.1/, 1_000_000],
  [/o1-(mini|preview)/, 128_000],
  [/gpt-5|(^|\W)o[134]/, 200_000],
  [/gpt-4|gpt-oss/, 128_000],
  [/claude-(2|instant)/, 100_000],
  [/claude/, 200_000],
  [/gemini-(1\.0|pro$)/, 30_000],
  [/gemini/, 1_000_000],
  [/nova-(lite|pro|premier)/, 300_000],
  [/nova-|command-r|command-a/, 128_000],
  [/magistral/, 40_000],
  [/mixtral|mistral-7b|codestral/, 32_000],
  [/mistral|ministral|pixtral|devstral/, 128_000],
  [/llama-?3[.-][1-4]\b|llama-?4|gemma-?3/, 128_000],
  [/llama-?3|gemma/, 8_000],
  [/llama-?2|tinyllama/, 4_000],
  [/deepseek/, 64_000],
  [/qwen/, 32_000],
  [/grok/, 128_000],
];

/** Tokens that any model of a large provider takes, also where its id is a deployment's own name. */
const hostedTokens = 100_000;
/** Tokens assumed of an unknown model behind the OpenAI protocol: often a small one on the tenant's own machine. */
const compatibleTokens = 32_000;
/** More is used only where `contextTokens` asks for it: a prompt of a million tokens costs what nobody expects of a turn. */
const maxUsedTokens = 200_000;

/** How many tokens the model is known to take. */
export function knownWindow({ provider, model }: Pick<ModelSettings, 'provider' | 'model'>): number {
  if (provider === 'scripted' || provider === 'quoting') return hostedTokens;
  const id = model.toLowerCase();
  const known = windows.find(([pattern]) => pattern.test(id))?.[1];
  return Math.min(
    known ?? (provider === 'openai-compatible' ? compatibleTokens : hostedTokens),
    maxUsedTokens,
  );
}
