import type { EventDataByType } from '@parley/protocol/event';
import { newEvent } from '../../events/new-event.ts';
import type { ToolOutput } from '../../model/message.ts';
import { isTeamQuestion } from '../../session/input-requests.ts';
import type { TeamMember } from '../../session/queue-item.ts';
import type { PendingRequest, Turn, WaitingStep } from '../../session/state/phase.ts';
import type { NewEvent } from '../../store/event-store.ts';
import { isDraftId } from '../../settings/draft-id.ts';
import { type TurnContext, turnAt } from '../context.ts';
import { needsApproval } from '../pending-request.ts';
import type { JudgedCall } from '../step-calls.ts';
import { awayTeam } from './away-team.ts';
import { teamAuthor } from './team-author.ts';

/**
 * Why the team is not asked what these calls ask, by their ids: nobody is there, somebody else has to answer first, or
 * the visitor has not come back since the last wait: an agent could go on asking for ever.
 */
export async function unaskedOfTeam(
  context: TurnContext,
  { unattended }: Turn,
  calls: readonly JudgedCall[],
): Promise<ReadonlyMap<string, ToolOutput>> {
  const [first, ...further] = calls.filter(({ tool }) => tool?.executor === 'team');
  if (!first) return new Map();
  const reason = unattended
    ? 'The team is not asked before the user has written again.'
    : calls.some((call) => waitsForOthers(context, call))
      ? 'Ask the team in a step of its own.'
      : !isDraftId(context.session.agentId) && (await awayTeam(context))
        ? 'Nobody of the team is there at this time of the week. Tell the user so.'
        : null;
  const unasked = (why: string): ToolOutput => ({
    type: 'json',
    value: { status: 'not-asked', reason: why },
  });
  return new Map([
    ...(reason === null ? [] : [[first.callId, unasked(reason)] as const]),
    ...further.map(({ callId }) => [callId, unasked('Ask the team one question at a time.')] as const),
  ]);
}

/** Whether something else of the step is waited for, and ends its turn. */
const waitsForOthers = (context: TurnContext, { tool }: JudgedCall): boolean =>
  tool !== null && tool.executor !== 'team' && (tool.executor !== 'server' || needsApproval(context, tool));

/** What the log shows of a question to the team: the visitor reads that there is one. */
export function teamAsked(
  at: EventDataByType['step.started'],
  { request: { requestId, prompt }, expiresAt }: PendingRequest,
): NewEvent {
  const data = {
    ...at,
    requestId,
    question: prompt,
    expiresAt: new Date(expiresAt ?? Number.NaN).toISOString(),
  };
  return newEvent('team.asked', data, { concealed: true });
}

type Closing =
  | { readonly outcome: 'answered'; readonly answer: string; readonly member: TeamMember | undefined }
  | { readonly outcome: 'expired' | 'withdrawn' };

export function teamAnswered(sequence: number, requestId: string, closing: Closing): NewEvent {
  const isAnswered = closing.outcome === 'answered';
  const data = {
    ...turnAt(sequence),
    requestId,
    outcome: closing.outcome,
    answer: isAnswered ? closing.answer : null,
    author: isAnswered && closing.member ? teamAuthor(closing.member) : null,
  };
  return newEvent('team.answered', data, { concealed: true });
}

/** What the team was asked in a step that is given up. */
export const withdrawnQuestions = (waiting: WaitingStep | null): NewEvent[] =>
  (waiting?.requests ?? [])
    .filter((pending) => isTeamQuestion(pending) && !pending.response && !pending.expired)
    .map(({ request: { requestId } }) =>
      teamAnswered(waiting!.sequence, requestId, { outcome: 'withdrawn' }),
    );

/** The answer of the team as the model reads it. */
export function teamAnswer({ response }: PendingRequest, member: TeamMember | undefined): ToolOutput {
  return {
    type: 'json',
    value: response
      ? { status: 'answered', ...(member && { by: member.name }), answer: response.text ?? '' }
      : { status: 'unanswered', reason: 'Nobody of the team answered in time. Tell the user so.' },
  };
}
