import type { Prices } from '@parley/protocol/settings/prices';

interface Tokens {
  readonly modelId: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** What tokens cost by the tenant's prices; null where the model has none: nothing is guessed. */
export function costOf(prices: Prices | null, { modelId, inputTokens, outputTokens }: Tokens): number | null {
  const price = prices?.models.find((each) => each.modelId === modelId);
  if (!price) return null;
  return (inputTokens * price.inputPerMillion + outputTokens * price.outputPerMillion) / 1_000_000;
}
