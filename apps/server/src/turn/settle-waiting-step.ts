import type { InputResponse } from '@parley/protocol/ask';
import { isApproval, isTeamQuestion, isWaiting } from '../session/input-requests.ts';
import { newEvent } from '../events/new-event.ts';
import { type FollowUp, type WaitingStep, idle } from '../session/state/phase.ts';
import type { SessionState } from '../session/state/schema.ts';
import { grantedTools, inputAnswered, inputExpired, rejection, settleCall } from './approvals.ts';
import { notAnswered, clientToolResultEvents } from './client-tool-results.ts';
import { checkpoint, stepAt } from './context.ts';
import { askedIn } from './prompt/prompt.ts';
import type { NewEvent } from '../store/event-store.ts';
import { teamAnswered } from './team/team-question.ts';
import { stepHistory } from './tool-calls.ts';
import {
  type StartingTurn,
  type TurnTrigger,
  newTurn,
  turnStartEvents,
  receivedEvents,
  shownMessage,
} from './starting-turn.ts';

const maxApprovedTools = 200;

/** Whether everything has come that the waiting step waits for, so that its turn goes on. */
export function isSettled(
  { resolution, clientResults, spoken }: StartingTurn,
  waiting: WaitingStep,
): boolean {
  if (waiting.clientCallIds.length === 0) return resolution.status === 'settled';
  const { requests, answered } = resolution;
  const open = requests.filter(isWaiting);
  const somethingCame =
    spoken !== null ||
    answered.length > 0 ||
    clientResults.answered.length > 0 ||
    resolution.expired.length > 0;
  // A page answers by itself; a question is passed over only once a person has done something else.
  const personActed = spoken !== null || waiting.held.length > 0 || open.length < requests.length;
  const asksDone = open.length === 0 || (personActed && !open.some(({ request }) => isApproval(request)));
  return somethingCame && asksDone && !clientResults.open;
}

/** Nothing is waited for any more: the waiting step goes on in a turn of its own. */
export function settleWaitingStep(starting: StartingTurn, waiting: WaitingStep): Promise<void> {
  const { context, trigger, input, state, replaced, resolution, clientResults, spoken } = starting;
  const sequence = state.nextTurn;
  const answered = new Set(resolution.answered.map(({ requestId }) => requestId));
  const denied = resolution.requests.filter(
    ({ request, response }) => isApproval(request) && response?.optionId !== 'approve',
  );
  const rejections = denied.flatMap((pending) => {
    const { request, response } = pending;
    const fresh =
      response && answered.has(request.requestId) ? [inputAnswered(waiting.sequence, response, trigger)] : [];
    const late = resolution.expired.includes(request) ? [inputExpired(waiting, request)] : [];
    return [...fresh, ...late, rejection(context, waiting, pending)];
  });
  const deniedIds = new Set(denied.map(({ request }) => request.requestId));
  const calls = clientResults.calls.map((call) => settleCall(call, resolution, trigger));
  const onlyIgnored =
    resolution.answered.length === 0 &&
    resolution.expired.length === 0 &&
    !clientResults.answered.some(({ outcome }) => outcome !== notAnswered) &&
    calls.every(({ result }) => result !== null);
  const followUps: FollowUp[] = waiting.held.map((held) => ({ ...held, received: false }));
  if (spoken && !onlyIgnored) followUps.push({ body: spoken, context: input.context, received: true });

  context.appender.add(
    ...rejections,
    ...turnStartEvents(context, sequence, trigger),
    ...receivedEvents(sequence, shownMessage(input, spoken)),
    ...resolution.answered
      .filter(({ requestId }) => !deniedIds.has(requestId))
      .map((answer) => closedBy(sequence, answer, resolution, trigger)),
    ...resolution.requests
      .filter(({ request, expired }) => expired && resolution.expired.includes(request))
      .filter(isTeamQuestion)
      .map(({ request }) => teamAnswered(sequence, request.requestId, { outcome: 'expired' })),
    newEvent('step.started', stepAt(sequence, 0)),
    ...clientToolResultEvents(sequence, clientResults),
  );
  const approvedTools = grantedTools(context, state, calls, resolution).slice(-maxApprovedTools);
  const settled: SessionState = { ...state, nextTurn: sequence + 1, phase: idle, approvedTools };
  const turn = { ...newTurn(context, sequence, trigger, input), wholeFrom: waiting.sequence, followUps };

  if (onlyIgnored) {
    const history = [
      ...stepHistory(waiting.sequence, waiting.content, calls),
      ...askedIn(sequence, [...waiting.context, ...input.context], spoken),
    ];
    return checkpoint(context, {
      state: { ...settled, phase: { type: 'model', turn } },
      ...replaced,
      ...answeredThread(waiting),
      settleTurns: [waiting.sequence],
      history,
      consume: trigger.consume,
      ...(trigger.audit && { audit: trigger.audit }),
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
    context: spoken ? waiting.context : [...waiting.context, ...input.context],
  };
  return checkpoint(context, {
    state: { ...settled, phase: { type: 'tools', turn, step } },
    ...replaced,
    ...answeredThread(waiting),
    settleTurns: [waiting.sequence],
    consume: trigger.consume,
    ...(trigger.audit && { audit: trigger.audit }),
  });
}

function closedBy(
  sequence: number,
  answer: InputResponse,
  { requests }: StartingTurn['resolution'],
  trigger: TurnTrigger,
): NewEvent {
  const { member } = trigger;
  const pending = requests.find(({ request }) => request.requestId === answer.requestId);
  return pending && isTeamQuestion(pending)
    ? teamAnswered(sequence, answer.requestId, { outcome: 'answered', answer: answer.text ?? '', member })
    : inputAnswered(sequence, answer, trigger);
}

/** Nobody of the team is waited for any more. */
export const answeredThread = ({ requests }: WaitingStep) =>
  requests.some(({ by }) => by !== 'visitor') && { thread: { holder: null, isWaiting: false } };
