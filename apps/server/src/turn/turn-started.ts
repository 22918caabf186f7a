import type { Author } from '@parley/protocol/event';
import { newEvent } from '../events/new-event.ts';
import type { NewEvent } from '../store/event-store.ts';
import type { TurnStart } from '../store/turn-store.ts';
import { turnAt } from './context.ts';

interface Start extends Pick<TurnStart, 'author' | 'configuration' | 'modelId'> {
  readonly itemId: string;
  readonly revision?: number | null;
  /** Who speaks in it, where it is not the agent. */
  readonly speaker?: Author;
}

/** The event that a turn begins with, and with it the turn's own record. */
export function turnStarted(
  sequence: number,
  { itemId, revision = null, speaker, ...start }: Start,
): NewEvent {
  const { configuration } = start;
  const data = {
    ...turnAt(sequence),
    ...(speaker && { author: speaker }),
    ...(configuration !== null && { configuration }),
    ...(revision !== null && { revision }),
  };
  const started = newEvent('turn.started', data, { itemId });
  return { ...started, turn: { ...start, sequence, startedAt: Date.parse(started.event.meta.at) } };
}
