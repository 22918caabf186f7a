import type { Turn } from '../session/state/phase.ts';
import type { TurnEnd } from '../store/turn-store.ts';

/** How a turn ended, for its record. */
export function turnEnd(
  status: TurnEnd['status'],
  { sequence, usage, firstDeltaAt }: Pick<Turn, 'sequence' | 'usage' | 'firstDeltaAt'>,
): TurnEnd {
  return { sequence, status, ...usage, firstDeltaAt, endedAt: Date.now() };
}

/** The same of a turn that called no model. */
export function silentTurnEnd(status: TurnEnd['status'], sequence: number): TurnEnd {
  return turnEnd(status, { sequence, usage: { inputTokens: 0, outputTokens: 0 }, firstDeltaAt: null });
}
