import type { Resolution } from '../session/input-requests.ts';
import { type Delivery, type MessageBody, continuedMessage } from '../session/queue-item.ts';
import { newEvent } from '../events/new-event.ts';
import type { Turn } from '../session/state/phase.ts';
import type { SessionState } from '../session/state/schema.ts';
import type { NewEvent } from '../store/event-store.ts';
import type { Returned } from './client-tool-results.ts';
import type { Checkpoint, TurnContext } from './context.ts';
import { messageReceived } from './message-received.ts';
import { turnStarted } from './turn-started.ts';

/** Why a turn begins: what was delivered, or that a time has come. */
export interface Arrival {
  readonly id: string;
  readonly at: number;
  /** The length of the log when it was accepted, or null where that is not known. */
  readonly acceptedIndex: number | null;
  /** Queue positions that are dealt with once it has begun. */
  readonly consume: readonly number[];
  /** A time has come. */
  readonly unattended?: true;
}

/** What a turn begins with: what was delivered, and what it is for the step that waits. */
export interface Beginning {
  readonly context: TurnContext;
  readonly arrival: Arrival;
  readonly delivery: Delivery;
  readonly state: SessionState;
  readonly replaced: Pick<Checkpoint, 'retract' | 'settleTurns'>;
  readonly resolution: Resolution;
  readonly returned: Returned;
  /** What the model is to answer as a message: the text that was no answer, and stale answers. */
  readonly spoken: MessageBody | null;
}

export function newTurn(
  { session }: TurnContext,
  sequence: number,
  arrival: Arrival,
  delivery: Delivery,
): Turn {
  const deadline = delivery.timeLimitMs === null ? null : Date.now() + delivery.timeLimitMs;
  const { outputSchema } = delivery;
  return {
    sequence,
    itemId: arrival.id,
    wholeFrom: sequence,
    fromIndex: session.nextIndex,
    stepIndex: 0,
    followUps: [],
    usage: { inputTokens: 0, outputTokens: 0 },
    firstDeltaAt: null,
    outputSchema,
    continues: continuedMessage(delivery),
    deadline,
    visitor: arrival.unattended ? session.visitor : delivery.visitor,
    unattended: arrival.unattended ?? false,
  };
}

/** The events that a turn begins with, up to its message. */
export function opening(
  { configuration, description, model, session }: TurnContext,
  sequence: number,
  arrival: Arrival,
): NewEvent[] {
  const first =
    sequence === 0 && session.nextIndex === 0 ? [newEvent('session.started', { runtime: description })] : [];
  const author = arrival.unattended ? 'agent' : 'visitor';
  return [...first, turnStarted(sequence, { itemId: arrival.id, author, configuration, modelId: model.id })];
}

/** What the log shows of the delivery: the message as it was sent, with stale answers before it. */
export function shown({ message }: Delivery, spoken: MessageBody | null): MessageBody | null {
  return spoken ?? message;
}

export function received(sequence: number, body: MessageBody | null): NewEvent[] {
  if (!body) return [];
  return [messageReceived(sequence, body)];
}
