import { type AnswerTiming, resolveInput } from '../session/input-requests.ts';
import type { Delivery, MessageBody } from '../session/queue-item.ts';
import { newEvent } from '../events/new-event.ts';
import { type WaitingStep, waitingStep } from '../session/state/phase.ts';
import { takeResults } from './client-tool-results.ts';
import { type TurnContext, checkpoint, checkpointSoon, sessionWaiting, stepAt, turnAt } from './context.ts';
import { holdInput } from './hold-input.ts';
import { lateResponses } from './late-responses.ts';
import { askedIn } from './prompt/prompt.ts';
import { replaceTurns } from './replace-turns.ts';
import { isSettled, settleWaitingStep } from './settle-waiting-step.ts';
import { silentTurnEnd } from './turn-end.ts';
import { type Arrival, type Beginning, newTurn, opening, received, shown } from './turn-input.ts';

/** Turns whose user message a client may replace; message ids of older ones are forgotten. */
const maxMessageIds = 100;

/** Begins the turn of a delivery; a turn that only holds what came in ends here, too. */
export async function startTurn(context: TurnContext, arrival: Arrival, delivery: Delivery): Promise<void> {
  const { state: before, replaced } = await replaceTurns(context, delivery);
  const state = { ...before, clientTools: delivery.clientTools ?? before.clientTools };
  const waiting = waitingStep(state);
  const text = delivery.message?.text ?? null;
  const input = { responses: delivery.responses, text, at: arrival.at };
  const timing = await answerTiming(context, waiting, arrival, delivery);
  const resolution = resolveInput(waiting?.requests ?? [], { ...input, timing });
  const stale = await lateResponses(context, resolution.stale, delivery.message);
  const spoken = join(stale, resolution.textUsed ? null : delivery.message);

  const messageInstead = delivery.message !== null && !resolution.textUsed;
  const returned = takeResults(waiting, delivery.results, messageInstead);

  const beginning: Beginning = { context, arrival, delivery, state, replaced, resolution, returned, spoken };
  if (waiting && isSettled(beginning, waiting)) return settleWaitingStep(beginning, waiting);
  if (waiting) return holdInput(beginning, waiting);
  if (!spoken && delivery.results.length > 0) return pass(beginning);
  return begin(beginning);
}

/**
 * Whether what was delivered can be an answer: only what came after the log showed what is asked, and of a sender who
 * tells what was on the screen only what was written after it was shown there.
 */
async function answerTiming(
  { store, session }: TurnContext,
  waiting: WaitingStep | null,
  { acceptedIndex }: Arrival,
  { shownIndex = Infinity }: Delivery,
): Promise<AnswerTiming> {
  if (acceptedIndex === null) return 'unknown';
  if (!waiting || waiting.requests.length === 0) return 'after';
  const [asked] = await store.listInputRequests(session.id, session.nextIndex, 1);
  return asked && asked.index < Math.min(acceptedIndex, shownIndex) ? 'after' : 'before';
}

/** Results that nobody waits for: the turn that carries them changes nothing. */
function pass({ context, arrival, state, replaced }: Beginning): Promise<void> {
  const sequence = state.nextTurn;
  context.appender.add(
    ...opening(context, sequence, arrival),
    newEvent('turn.completed', turnAt(sequence)),
    sessionWaiting(),
  );
  return checkpoint(context, {
    state: { ...state, nextTurn: sequence + 1 },
    endTurns: [silentTurnEnd('completed', sequence)],
    ...replaced,
    consume: arrival.consume,
    release: true,
  });
}

function begin({ context, arrival, delivery, state, replaced, spoken }: Beginning): void {
  const sequence = state.nextTurn;
  context.appender.add(
    ...opening(context, sequence, arrival),
    ...received(sequence, shown(delivery, spoken)),
    newEvent('step.started', stepAt(sequence, 0)),
  );
  const { message, messageId } = delivery;
  const messageIds =
    message === null || messageId === null
      ? state.messageIds
      : [...state.messageIds, { turn: sequence, messageId }].slice(-maxMessageIds);
  checkpointSoon(context, {
    state: {
      ...state,
      nextTurn: sequence + 1,
      messageIds,
      phase: { type: 'model', turn: newTurn(context, sequence, arrival, delivery) },
    },
    ...replaced,
    history: askedIn(sequence, delivery.context, spoken),
    consume: arrival.consume,
  });
}

function join(first: MessageBody | null, second: MessageBody | null): MessageBody | null {
  if (!first || !second) return first ?? second;
  return {
    text: `${first.text}\n${second.text}`,
    parts: [...first.parts, ...second.parts],
    fileIds: [...first.fileIds, ...second.fileIds],
    modelText: `${first.modelText ?? first.text}\n${second.modelText ?? second.text}`,
  };
}
