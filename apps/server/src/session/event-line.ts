import type { SessionEvent } from '@parley/protocol/event';
import type { StoredEvent } from '../store/store.ts';
import type { SoFar } from './so-far.ts';

/** Who reads: `full` sees what tools are given and answer, `status` only what is not concealed. */
export type Audience = 'full' | 'status';

/** An event as this audience may see it. */
export function visibleEvent({ event, concealed }: StoredEvent, audience: Audience): SessionEvent {
  if (!concealed || audience === 'full') return event;
  switch (event.type) {
    case 'actions.requested':
      return {
        ...event,
        data: { ...event.data, actions: event.data.actions.map((action) => ({ ...action, input: {} })) },
      };
    case 'action.appended':
      return { ...event, data: { ...event.data, inputDelta: '' } };
    case 'action.partial':
      return { ...event, data: { ...event.data, result: { ...event.data.result, output: null } } };
    case 'action.result': {
      const { error, ...data } = event.data;
      const visible = { ...data, result: { ...data.result, output: null } };
      return {
        ...event,
        data: error ? { ...visible, error: { code: error.code, message: concealedFailure } } : visible,
      };
    }
    default:
      return event;
  }
}

const concealedFailure = 'This step did not succeed.';

/**
 * The event's line of the stream, newline included. `soFar` must have been fed this event already; without it
 * deltas carry no cumulative text.
 */
export function eventLine(event: SessionEvent, continuationToken: string, soFar: SoFar | null): string {
  return `${JSON.stringify(completeEvent(event, continuationToken, soFar))}\n`;
}

function completeEvent(event: SessionEvent, continuationToken: string, soFar: SoFar | null): SessionEvent {
  if (event.type === 'session.waiting') return { ...event, data: { ...event.data, continuationToken } };
  if (!soFar) return event;
  if (event.type === 'message.appended')
    return { ...event, data: { ...event.data, messageSoFar: soFar.message } };
  if (event.type === 'reasoning.appended')
    return { ...event, data: { ...event.data, reasoningSoFar: soFar.reasoning } };
  return event;
}
