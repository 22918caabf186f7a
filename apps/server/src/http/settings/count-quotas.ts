import type { LimitStore, Quota } from '../../store/limit-store.ts';
import { quotaExceeded } from '../rejection-problem.ts';

/** Counts what somebody does in the console, and throws 429 where it is too much. */
export async function countQuotas(
  limits: Pick<LimitStore, 'countQuotas'>,
  quotas: readonly Quota[],
): Promise<void> {
  const limited = await limits.countQuotas([...quotas]);
  // Whoever is told is a person, who has no settings of a key to raise.
  if (limited !== null) throw quotaExceeded(limited, { kind: 'publishable' });
}
