import { limitsSchema } from '@parley/protocol/settings/limits';

/** For agents that are called all day long from one address: the defaults are for the internet. */
export const ampleLimits = Object.fromEntries(
  Object.keys(limitsSchema.shape).map((name) => [name, 1_000_000_000]),
);
