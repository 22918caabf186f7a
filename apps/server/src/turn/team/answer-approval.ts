import { mayApprove, standingApprovals } from '../../approval/standing-approvals.ts';
import { hasApproved, isApproval, isOpen, mayAnswer } from '../../session/input-requests.ts';
import { emptyInput } from '../../session/message-input.ts';
import type { ApprovalAnswer } from '../../session/queue-item.ts';
import { waitingStep } from '../../session/state/phase.ts';
import type { QueueItem } from '../../store/queue-store.ts';
import { type TurnContext, checkpoint } from '../context.ts';
import { approvalRecord } from './approval-record.ts';
import { startTurn } from '../start-turn.ts';
import { teamOf } from './team-of.ts';

/** What a member answers in the visitor's place. Nothing happens where it is answered, expired or not theirs to answer. */
export async function answerApproval(
  context: TurnContext,
  item: QueueItem,
  { member, requestId, optionId }: ApprovalAnswer,
): Promise<void> {
  const { state, session } = context;
  const { acceptedAt: at, acceptedIndex, position } = item;
  const asked = waitingStep(state)?.requests.find(({ request }) => request.requestId === requestId);
  const team = teamOf(context);
  const pending = asked && (await standingApprovals(team, asked));
  const who = { by: 'team' as const, member };
  const isVain =
    !pending ||
    !isApproval(pending.request) ||
    !mayAnswer(pending, who) ||
    !(await mayApprove(team, member.id)) ||
    (optionId === 'approve' && hasApproved(pending, who));
  if (state.hold || isVain || !isOpen(pending, at))
    return checkpoint(context, { state, consume: [position], release: true });
  return startTurn(
    context,
    {
      id: item.id,
      at,
      acceptedIndex,
      consume: [position],
      ...who,
      audit: [approvalRecord(session, member, pending.request, { answer: optionId })],
    },
    {
      ...emptyInput,
      kind: 'delivery',
      message: null,
      responses: [{ requestId, optionId }],
      visitor: session.visitor,
    },
  );
}
