import { type Limits, limitsSchema } from '@parley/protocol/settings/limits';

/** For the agents of a test, which a test calls faster than people do. */
export function ampleLimits(chosen: Partial<Limits> = {}): Record<string, number> {
  const names = Object.keys(limitsSchema.shape);
  return { ...Object.fromEntries(names.map((name) => [name, 1_000_000_000])), ...chosen };
}
