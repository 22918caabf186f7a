import { standingApprovals } from '../approval/standing-approvals.ts';
import { type AnswerTiming, resolveInput } from '../session/input-requests.ts';
import type { TurnInput } from '../session/queue-item.ts';
import { newEvent } from '../events/new-event.ts';
import { type WaitingStep, waitingStep } from '../session/state/phase.ts';
import { takeResults } from './client-tool-results.ts';
import { type TurnContext, checkpoint, checkpointSoon, sessionWaiting, stepAt, turnAt } from './context.ts';
import { joinMessages } from './join-messages.ts';
import { holdInput } from './hold-input.ts';
import { lateResponses } from './late-responses.ts';
import { askedIn } from './prompt/prompt.ts';
import { receiveForTeam } from './team/receive-for-team.ts';
import { replaceTurns } from './replace-turns.ts';
import { isSettled, settleWaitingStep } from './settle-waiting-step.ts';
import { teamOf } from './team/team-of.ts';
import { silentTurnEnd } from './turn-end.ts';
import {
  type TurnTrigger,
  type StartingTurn,
  newTurn,
  turnStartEvents,
  receivedEvents,
  shownMessage,
} from './starting-turn.ts';

/** Turns whose user message a client may replace; message ids of older ones are forgotten. */
const maxMessageIds = 100;

/** Begins the turn of an input; a turn that only holds what came in ends here, too. */
export async function startTurn(context: TurnContext, trigger: TurnTrigger, input: TurnInput): Promise<void> {
  const { hold } = context.state;
  if (hold) return receiveForTeam(context, hold, trigger, input);
  const { state: before, replaced } = await replaceTurns(context, input);
  const state = { ...before, clientTools: input.clientTools ?? before.clientTools };
  const waiting = waitingStep(state);
  const text = input.message?.text ?? null;
  const timing = await answerTiming(context, waiting, trigger, input);
  const team = teamOf(context);
  const requests = await Promise.all(
    (waiting?.requests ?? []).map((pending) => standingApprovals(team, pending)),
  );
  const resolution = resolveInput(requests, {
    responses: input.responses,
    text,
    at: trigger.at,
    timing,
    by: trigger.by,
    ...(trigger.member && { member: trigger.member }),
  });
  const stale = await lateResponses(context, resolution.stale, input.message);
  const spoken = joinMessages(stale, resolution.textUsed ? null : input.message);

  const messageInstead = input.message !== null && !resolution.textUsed;
  const clientResults = takeResults(waiting, input.results, messageInstead);

  const starting: StartingTurn = {
    context,
    trigger,
    input,
    state,
    replaced,
    resolution,
    clientResults,
    spoken,
  };
  if (waiting && isSettled(starting, waiting)) return settleWaitingStep(starting, waiting);
  if (waiting) return holdInput(starting, waiting);
  if (!spoken && input.results.length > 0) return ignoreLateResults(starting);
  return beginWithMessage(starting);
}

/**
 * Whether the input can be an answer: only what came after the log showed what is asked, and of a sender who
 * tells what was on the screen only what was written after it was shown there.
 */
async function answerTiming(
  { store, session }: TurnContext,
  waiting: WaitingStep | null,
  { acceptedIndex, by }: TurnTrigger,
  { shownIndex = Infinity }: TurnInput,
): Promise<AnswerTiming> {
  // A member names what they answer.
  if (acceptedIndex === null || by === 'team') return 'unknown';
  if (!waiting || waiting.requests.length === 0) return 'after';
  const [asked] = await store.listInputRequests(session.id, session.nextIndex, 1);
  return asked && asked.index < Math.min(acceptedIndex, shownIndex) ? 'after' : 'before';
}

/** Results that nobody waits for: the turn that carries them changes nothing. */
function ignoreLateResults({ context, trigger, state, replaced }: StartingTurn): Promise<void> {
  const sequence = state.nextTurn;
  context.appender.add(
    ...turnStartEvents(context, sequence, trigger),
    newEvent('turn.completed', turnAt(sequence)),
    sessionWaiting(),
  );
  return checkpoint(context, {
    state: { ...state, nextTurn: sequence + 1 },
    endTurns: [silentTurnEnd('completed', sequence)],
    ...replaced,
    consume: trigger.consume,
    release: true,
  });
}

function beginWithMessage({ context, trigger, input, state, replaced, spoken }: StartingTurn): void {
  const sequence = state.nextTurn;
  context.appender.add(
    ...turnStartEvents(context, sequence, trigger),
    ...receivedEvents(sequence, shownMessage(input, spoken)),
    newEvent('step.started', stepAt(sequence, 0)),
  );
  const { message, messageId } = input;
  const messageIds =
    message === null || messageId === null
      ? state.messageIds
      : [...state.messageIds, { turn: sequence, messageId }].slice(-maxMessageIds);
  checkpointSoon(context, {
    state: {
      ...state,
      nextTurn: sequence + 1,
      messageIds,
      phase: { type: 'model', turn: newTurn(context, sequence, trigger, input) },
    },
    ...replaced,
    history: askedIn(sequence, input.context, spoken),
    consume: trigger.consume,
  });
}
