import { delegationProblem } from '../../approval/delegation-problem.ts';
import { mayApprove, standingApprovals } from '../../approval/standing-approvals.ts';
import { newEvent } from '../../events/new-event.ts';
import type { Delegation } from '../../session/queue-item.ts';
import { waitingStep } from '../../session/state/phase.ts';
import type { QueueItem } from '../../store/queue-store.ts';
import { approvalMails } from '../approval-mails.ts';
import { type TurnContext, checkpoint, turnAt } from '../context.ts';
import { waitingThread } from '../waiting-thread.ts';
import { approvalRecord } from './approval-record.ts';
import { teamOf } from './team-of.ts';

/**
 * From here on it is asked of another member, who is written to. Whoever else may answer it still may. Nothing happens
 * where it does not wait any more, or where whoever it is handed to may not answer it.
 */
export async function delegateApproval(
  context: TurnContext,
  item: QueueItem,
  { member, delegates: { requestId, to, line } }: Delegation,
): Promise<void> {
  const { state, session, appender } = context;
  const consume = [item.position];
  const team = teamOf(context);
  const waiting = waitingStep(state);
  // All of them, as they count now: the inbox has for whom each of them waits.
  const standing = await Promise.all((waiting?.requests ?? []).map((each) => standingApprovals(team, each)));
  const pending = standing.find(({ request }) => request.requestId === requestId);
  const isVain =
    !waiting ||
    !pending ||
    state.hold !== null ||
    delegationProblem(pending, { from: member, to }, item.acceptedAt) !== null ||
    !(await mayApprove(team, member.id)) ||
    !(await mayApprove(team, to.id));
  if (isVain) return checkpoint(context, { state, consume, release: true });
  const from = { id: member.id, name: member.name };
  const { times = 0, everTo = [] } = pending.delegated ?? {};
  const isKnown = everTo.includes(to.id);
  const delegated = { from, to, line, times: times + 1, everTo: isKnown ? everTo : [...everTo, to.id] };
  appender.add(
    newEvent(
      'approval.delegated',
      { ...turnAt(waiting.sequence), requestId, from, to, line },
      { concealed: true, itemId: item.id },
    ),
  );
  const handed = { ...pending, delegated };
  const mails = approvalMails(context, [handed], Date.now()).filter(
    // They are reminded already, as all who may answer are, and were told already if it comes back to them.
    ({ memberId, isReminder }) => memberId === to.id && !isReminder && !isKnown && from.id !== to.id,
  );
  const requests = standing.map((other) => (other === pending ? handed : other));
  return checkpoint(context, {
    state: { ...state, phase: { type: 'waiting', step: { ...waiting, requests } } },
    thread: waitingThread(requests),
    ...(mails.length > 0 && { approvalMails: mails }),
    audit: [approvalRecord(session, member, pending.request, { delegatedTo: to })],
    consume,
    release: true,
  });
}
