import { type Prices, pricesSchema } from '@parley/protocol/settings/prices';

/** A tenant's prices as they are stored; null where none are, or none that can be read: then nothing is reckoned. */
export function storedPrices(stored: unknown): Prices | null {
  return pricesSchema.safeParse(stored).data ?? null;
}
