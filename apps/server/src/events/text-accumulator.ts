import type { SessionEvent, SessionEventType } from '@parley/protocol/event';

type DeltaType = Extract<SessionEventType, `${string}.appended`>;
type EventOf<Type extends SessionEventType> = Extract<SessionEvent, { type: Type }>;

interface Delta<Type extends DeltaType> {
  readonly add: (soFar: TextAccumulator, event: EventOf<Type>) => void;
  /** The delta with the text so far, itself included. */
  readonly complete: (soFar: TextAccumulator, event: EventOf<Type>) => EventOf<Type>;
}

const deltas: { readonly [Type in DeltaType]: Delta<Type> } = {
  'message.appended': {
    add(soFar, { data }) {
      soFar.message += data.messageDelta;
    },
    complete: ({ message }, event) => ({ ...event, data: { ...event.data, messageSoFar: message } }),
  },
  'reasoning.appended': {
    add(soFar, { data }) {
      soFar.reasoning = (soFar.reasoningOpen ? soFar.reasoning : '') + data.reasoningDelta;
      soFar.reasoningOpen = true;
    },
    complete: ({ reasoning }, event) => ({ ...event, data: { ...event.data, reasoningSoFar: reasoning } }),
  },
  // Arguments are shown whole once they are: `actions.requested`.
  'action.appended': { add() {}, complete: (_soFar, event) => event },
};

const isDelta = (event: SessionEvent): event is EventOf<DeltaType> => event.type in deltas;

/** Of which type it is, the table knows: each entry is given its own. */
const deltaOf = (event: EventOf<DeltaType>) => deltas[event.type] as Delta<DeltaType>;

/** The cumulative text of the step being read. Feed it every event in order, from the start of a step. */
export class TextAccumulator {
  message = '';
  reasoning = '';
  reasoningOpen = false;

  apply(event: SessionEvent): void {
    if (isDelta(event)) deltaOf(event).add(this, event);
    else if (event.type === 'reasoning.completed') this.reasoningOpen = false;
    else if (event.type === 'step.started') {
      this.message = this.reasoning = '';
      this.reasoningOpen = false;
    }
  }

  /** A delta, already fed, with the text so far; any other event as it is. */
  complete(event: SessionEvent): SessionEvent {
    return isDelta(event) ? deltaOf(event).complete(this, event) : event;
  }
}
