import type { Answerer, Resolution } from '../session/input-requests.ts';
import { type TurnInput, type MessageBody, continuedMessage } from '../session/queue-item.ts';
import { newEvent } from '../events/new-event.ts';
import type { Turn } from '../session/state/phase.ts';
import type { SessionState } from '../session/state/schema.ts';
import type { AuditRecord } from '../store/audit-store.ts';
import type { NewEvent } from '../store/event-store.ts';
import type { ClientToolResults } from './client-tool-results.ts';
import type { Checkpoint, TurnContext } from './context.ts';
import { messageReceived } from './message-received.ts';
import { turnStarted } from './turn-started.ts';

/** Why a turn begins: what was sent, or that a time has come. */
export interface TurnTrigger extends Answerer {
  readonly id: string;
  readonly at: number;
  /** The length of the log when it was accepted, or null where that is not known. */
  readonly acceptedIndex: number | null;
  /** Queue positions that are dealt with once it has begun. */
  readonly consume: readonly number[];
  /** A time has come. */
  readonly unattended?: true;
  /** What the log of changes is to say of it. */
  readonly audit?: readonly AuditRecord[];
}

/** What a turn begins with: its input, and what that is for the step that waits. */
export interface StartingTurn {
  readonly context: TurnContext;
  readonly trigger: TurnTrigger;
  readonly input: TurnInput;
  readonly state: SessionState;
  readonly replaced: Pick<Checkpoint, 'retract' | 'settleTurns'>;
  readonly resolution: Resolution;
  readonly clientResults: ClientToolResults;
  /** What the model is to answer as a message: the text that was no answer, and stale answers. */
  readonly spoken: MessageBody | null;
}

export function newTurn(
  { session }: TurnContext,
  sequence: number,
  trigger: TurnTrigger,
  input: TurnInput,
): Turn {
  const deadline = input.timeLimitMs === null ? null : Date.now() + input.timeLimitMs;
  const { outputSchema } = input;
  return {
    sequence,
    itemId: trigger.id,
    wholeFrom: sequence,
    fromIndex: session.nextIndex,
    stepIndex: 0,
    followUps: [],
    usage: { inputTokens: 0, outputTokens: 0 },
    firstDeltaAt: null,
    outputSchema,
    continues: continuedMessage(input),
    deadline,
    visitor: trigger.unattended ? session.visitor : input.visitor,
    unattended: trigger.unattended ?? false,
  };
}

/** The events that a turn begins with, up to its message. */
export function turnStartEvents(
  { configuration, revision, description, model, session }: TurnContext,
  sequence: number,
  trigger: TurnTrigger,
): NewEvent[] {
  const first =
    sequence === 0 && session.nextIndex === 0 ? [newEvent('session.started', { runtime: description })] : [];
  const author = trigger.unattended ? 'agent' : 'visitor';
  return [
    ...first,
    turnStarted(sequence, { itemId: trigger.id, author, configuration, revision, modelId: model.id }),
  ];
}

/** What the log shows of the input: the message as it was sent, with stale answers before it. */
export function shownMessage({ message }: TurnInput, spoken: MessageBody | null): MessageBody | null {
  return spoken ?? message;
}

export function receivedEvents(sequence: number, body: MessageBody | null): NewEvent[] {
  if (!body) return [];
  return [messageReceived(sequence, body)];
}
