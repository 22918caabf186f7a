import type { Phase } from '../session/state/phase.ts';
import type { TurnContext } from './context.ts';

/** The phase of a turn whose calls are delivered. */
export function toolPhase({ state: { phase } }: TurnContext): Extract<Phase, { type: 'tools' }> {
  if (phase.type !== 'tools') throw new Error('No calls are being delivered.');
  return phase;
}
