import { newEvent } from '../events/new-event.ts';
import type { NewEvent } from '../store/event-store.ts';
import type { TurnStart } from '../store/turn-store.ts';
import { turnAt } from './context.ts';

/** The event that a turn begins with, and with it the turn's own record. */
export function turnStarted(
  sequence: number,
  { itemId, ...start }: Pick<TurnStart, 'author' | 'configuration' | 'modelId'> & { readonly itemId: string },
): NewEvent {
  const { configuration } = start;
  const data = { ...turnAt(sequence), ...(configuration !== null && { configuration }) };
  const started = newEvent('turn.started', data, { itemId });
  return { ...started, turn: { ...start, sequence, startedAt: Date.parse(started.event.meta.at) } };
}
