import type { Limits } from '@parley/protocol/settings/limits';
import type { Quota } from '../store/store.ts';

const dayMs = 86_400_000;

/** The tokens an agent may use in a day (UTC). What a turn used is counted when it is done; here nothing is taken. */
export function tokenQuota({ id, settings }: { id: string; settings: { limits: Limits } }): Quota {
  return { scope: `tokens:${id}`, limit: settings.limits.tokensPerDay, windowMs: dayMs, amount: 0 };
}
