import type { EventDataByType } from '@parley/protocol/event';
import type { NewEvent } from '../store/event-store.ts';
import { type Stamp, newEvent } from './new-event.ts';

/** The next words of what a model says or thinks, or of the input of a call. */
export type Delta = { readonly at: EventDataByType['step.started']; readonly text: string } & (
  | { readonly kind: 'message' | 'reasoning' }
  | {
      readonly kind: 'input';
      readonly callId: string;
      readonly toolName: string;
      /** Whether visitors are not shown it. */
      readonly concealed: boolean;
    }
);

/** Whether what comes later belongs to the same text. */
export function continues(earlier: Delta, later: Delta): boolean {
  if (earlier.kind === 'input') return later.kind === 'input' && earlier.callId === later.callId;
  const { turnId, stepIndex } = earlier.at;
  return earlier.kind === later.kind && turnId === later.at.turnId && stepIndex === later.at.stepIndex;
}

/** The event of a delta that was stamped when it came, and has grown to `text` since. */
export function deltaEvent(delta: Delta, text: string, stamp: Stamp): NewEvent {
  const { at } = delta;
  switch (delta.kind) {
    case 'message':
      return newEvent('message.appended', { ...at, messageDelta: text }, {}, stamp);
    case 'reasoning':
      return newEvent('reasoning.appended', { ...at, reasoningDelta: text }, {}, stamp);
    case 'input': {
      const { callId, toolName, concealed } = delta;
      return newEvent('action.appended', { ...at, callId, toolName, inputDelta: text }, { concealed }, stamp);
    }
  }
}
