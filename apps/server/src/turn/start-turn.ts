import { maxContextLength } from '@parley/protocol/bounds';
import {
  type AnswerTiming,
  type Resolution,
  isApproval,
  isWaiting,
  resolveInput,
} from '../session/input-requests.ts';
import { type Delivery, type MessageBody, continuedMessage } from '../session/queue-item.ts';
import { newEvent } from '../events/new-event.ts';
import { type FollowUp, type Turn, type WaitingStep, idle, waitingStep } from '../session/state/phase.ts';
import type { SessionState } from '../session/state/schema.ts';
import type { NewEvent } from '../store/event-store.ts';
import { grantedTools, inputAnswered, inputExpired, rejection, settleCall } from './approvals.ts';
import { stepHistory } from './tool-calls.ts';
import { silentTurnEnd } from './turn-end.ts';
import { messageReceived } from './message-received.ts';
import { turnStarted } from './turn-started.ts';
import {
  type Checkpoint,
  type TurnContext,
  checkpoint,
  checkpointSoon,
  sessionWaiting,
  stepAt,
  turnAt,
} from './context.ts';
import { askedIn } from './prompt/prompt.ts';
import { type Returned, notAnswered, returnedEvents, takeResults } from './client-tool-results.ts';
import { replaceTurns } from './replace-turns.ts';
import { lateResponses } from './late-responses.ts';

/** Turns whose user message a client may replace; message ids of older ones are forgotten. */
const maxMessageIds = 100;
const maxApprovedTools = 200;
/** Messages that wait for an open approval, and the characters of all of them as the session's state keeps them. */
const maxHeld = 10;
const maxHeldLength = 262_144;

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
  if (waiting && isSettled(beginning, waiting)) return settle(beginning, waiting);
  if (waiting) return hold(beginning, waiting);
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

interface Beginning {
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

/** Whether everything has come that the waiting step waits for, so that its turn goes on. */
function isSettled({ resolution, returned, spoken }: Beginning, waiting: WaitingStep): boolean {
  if (waiting.clientCallIds.length === 0) return resolution.status === 'settled';
  const { requests, answered } = resolution;
  const open = requests.filter(isWaiting);
  const somethingCame =
    spoken !== null || answered.length > 0 || returned.answered.length > 0 || resolution.expired.length > 0;
  // A page answers by itself; a question is passed over only once a person has done something else.
  const personActed = spoken !== null || waiting.held.length > 0 || open.length < requests.length;
  const asksDone = open.length === 0 || (personActed && !open.some(({ request }) => isApproval(request)));
  return somethingCame && asksDone && !returned.open;
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

const notHeld = {
  code: 'INPUT_PENDING',
  message: 'Please answer what was asked above first; your message was not passed on.',
};

/** Something is still open: what came is kept, up to a bound, and nothing runs. */
function hold(
  { context, arrival, delivery, state, replaced, resolution, returned, spoken }: Beginning,
  waiting: WaitingStep,
): Promise<void> {
  const sequence = state.nextTurn;
  const more = spoken
    ? [...waiting.held, { body: spoken, context: delivery.context, received: true }]
    : waiting.held;
  const full = more.length > maxHeld || JSON.stringify(more).length > maxHeldLength;
  const held = full ? waiting.held : more;
  context.appender.add(
    ...resolution.expired.map((request) => inputExpired(waiting, request)),
    ...opening(context, sequence, arrival),
    ...received(sequence, shown(delivery, spoken)),
    ...resolution.answered.map((answer) => inputAnswered(sequence, answer)),
    ...returnedEvents(sequence, returned),
    full
      ? newEvent('turn.failed', { ...turnAt(sequence), ...notHeld })
      : newEvent('turn.completed', turnAt(sequence)),
    sessionWaiting(),
  );
  const told = spoken ? waiting.context : newestContext([...waiting.context, ...delivery.context]);
  return checkpoint(context, {
    state: {
      ...state,
      nextTurn: sequence + 1,
      phase: {
        type: 'waiting',
        step: {
          ...waiting,
          calls: returned.calls,
          requests: resolution.requests,
          held,
          context: told,
          unattended: false,
        },
      },
    },
    endTurns: [silentTurnEnd(full ? 'failed' : 'completed', sequence)],
    ...replaced,
    consume: arrival.consume,
    release: true,
  });
}

/** The last entries that have room in what one request may carry. */
function newestContext(entries: readonly string[]): readonly string[] {
  let left = maxContextLength;
  const first = entries.findLastIndex((entry) => (left -= entry.length) < 0);
  return entries.slice(first + 1);
}

/** Nothing is waited for any more: the waiting step goes on in a turn of its own. */
function settle(beginning: Beginning, waiting: WaitingStep): Promise<void> {
  const { context, arrival, delivery, state, replaced, resolution, returned, spoken } = beginning;
  const sequence = state.nextTurn;
  const answered = new Set(resolution.answered.map(({ requestId }) => requestId));
  const denied = resolution.requests.filter(
    ({ request, response }) => isApproval(request) && response?.optionId !== 'approve',
  );
  const rejections = denied.flatMap((pending) => {
    const { request, response } = pending;
    const fresh =
      response && answered.has(request.requestId) ? [inputAnswered(waiting.sequence, response)] : [];
    const late = resolution.expired.includes(request) ? [inputExpired(waiting, request)] : [];
    return [...fresh, ...late, rejection(context, waiting, pending)];
  });
  const deniedIds = new Set(denied.map(({ request }) => request.requestId));
  const calls = returned.calls.map((call) => settleCall(call, resolution));
  const onlyIgnored =
    resolution.answered.length === 0 &&
    resolution.expired.length === 0 &&
    !returned.answered.some(({ outcome }) => outcome !== notAnswered) &&
    calls.every(({ result }) => result !== null);
  const followUps: FollowUp[] = waiting.held.map((held) => ({ ...held, received: false }));
  if (spoken && !onlyIgnored) followUps.push({ body: spoken, context: delivery.context, received: true });

  context.appender.add(
    ...rejections,
    ...opening(context, sequence, arrival),
    ...received(sequence, shown(delivery, spoken)),
    ...resolution.answered
      .filter(({ requestId }) => !deniedIds.has(requestId))
      .map((answer) => inputAnswered(sequence, answer)),
    newEvent('step.started', stepAt(sequence, 0)),
    ...returnedEvents(sequence, returned),
  );
  const approvedTools = grantedTools(context, state, calls, resolution).slice(-maxApprovedTools);
  const settled: SessionState = { ...state, nextTurn: sequence + 1, phase: idle, approvedTools };
  const turn = { ...newTurn(context, sequence, arrival, delivery), wholeFrom: waiting.sequence, followUps };

  if (onlyIgnored) {
    const history = [
      ...stepHistory(waiting.sequence, waiting.content, calls),
      ...askedIn(sequence, [...waiting.context, ...delivery.context], spoken),
    ];
    return checkpoint(context, {
      state: { ...settled, phase: { type: 'model', turn } },
      ...replaced,
      settleTurns: [waiting.sequence],
      history,
      consume: arrival.consume,
    });
  }
  const step = {
    content: waiting.content,
    calls,
    requests: [],
    clientCallIds: [],
    usage: {},
    historyTurn: waiting.sequence,
    resumed: true,
    context: spoken ? waiting.context : [...waiting.context, ...delivery.context],
  };
  return checkpoint(context, {
    state: { ...settled, phase: { type: 'tools', turn, step } },
    ...replaced,
    settleTurns: [waiting.sequence],
    consume: arrival.consume,
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

function newTurn({ session }: TurnContext, sequence: number, arrival: Arrival, delivery: Delivery): Turn {
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

function opening(
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
function shown({ message }: Delivery, spoken: MessageBody | null): MessageBody | null {
  return spoken ?? message;
}

function received(sequence: number, body: MessageBody | null): NewEvent[] {
  if (!body) return [];
  return [messageReceived(sequence, body)];
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
