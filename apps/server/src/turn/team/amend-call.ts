import { standingApprovals } from '../../approval/standing-approvals.ts';
import { newEvent } from '../../events/new-event.ts';
import type { Amendment } from '../../session/queue-item.ts';
import { amendable } from '../../session/state/amendable.ts';
import type { QueueItem } from '../../store/queue-store.ts';
import { newApprovalId } from '../approval-id.ts';
import { approvalMails } from '../approval-mails.ts';
import { callFingerprint } from '../call-fingerprint.ts';
import { type TurnContext, checkpoint, sessionWaiting, stepAt, turnAt } from '../context.ts';
import { serverTool } from '../offered-tools.ts';
import { isChanged } from '../tool-calls.ts';
import { silentTurnEnd } from '../turn-end.ts';
import { turnStarted } from '../turn-started.ts';
import { waitingThread } from '../waiting-thread.ts';
import { approvalRecord } from './approval-record.ts';
import { teamOf } from './team-of.ts';

/**
 * What a member changes of a call before somebody approves it. It is asked for anew, under an id of its own: a yes to what
 * was shown before is none to what it is now. Nothing happens where it does not wait any more, or could not be made.
 */
export async function amendCall(
  context: TurnContext,
  item: QueueItem,
  { member, amends: { requestId, input } }: Amendment,
): Promise<void> {
  const { state, session, appender } = context;
  const consume = [item.position];
  const found = amendable(state, requestId, input, item.acceptedAt);
  const tool = typeof found === 'object' && found ? serverTool(context, found.call.toolName) : undefined;
  if (found === null || typeof found === 'string' || !tool) {
    return checkpoint(context, { state, consume, release: true });
  }
  const { waiting, pending, call } = found;
  // A tool that was changed since would be approved as if somebody had been shown what it does now.
  if (isChanged(call, tool) || tool.invalid(input) !== undefined)
    return checkpoint(context, { state, consume, release: true });
  const { callId, toolName, input: before } = call;
  const request = {
    ...pending.request,
    requestId: newApprovalId(),
    action: { ...pending.request.action, input },
  };
  // Whoever had approved had approved something else.
  const { approvedBy: _, ...unanswered } = pending;
  const asked = { ...unanswered, request };
  // Before the events, which wait for nothing: what was added by then would be written without the state that belongs to it.
  const team = teamOf(context);
  const requests = await Promise.all(
    waiting.requests.map(async (other) => (other === pending ? asked : standingApprovals(team, other))),
  );
  // A turn of its own, as every other answer has: readers know the end of one as the place where input is waited for.
  const sequence = state.nextTurn;
  const at = stepAt(sequence, 0);
  const { id, name } = member;
  const amended = { ...at, callId, toolName, requestId, member: { id, name }, before, after: input };
  const { configuration, revision } = context;
  appender.add(
    turnStarted(sequence, { itemId: item.id, author: 'team', configuration, revision, modelId: null }),
    newEvent('action.amended', amended, { concealed: tool.visibility !== 'full' }),
    newEvent('input.requested', { ...at, requests: [request] }),
    newEvent('turn.completed', turnAt(sequence)),
    sessionWaiting(),
  );
  const changed = {
    ...call,
    input,
    fingerprint: callFingerprint(tool, input),
    amended: { by: name, times: (call.amended?.times ?? 0) + 1 },
  };
  const step = {
    ...waiting,
    calls: waiting.calls.map((other) => (other === call ? changed : other)),
    requests,
  };
  // Also to those who are written to only once it is not asked of somebody alone any more.
  const mails = approvalMails(context, [asked], Date.now());
  return checkpoint(context, {
    state: { ...state, nextTurn: sequence + 1, phase: { type: 'waiting', step } },
    endTurns: [silentTurnEnd('completed', sequence)],
    thread: waitingThread(step.requests),
    ...(mails.length > 0 && { approvalMails: mails }),
    audit: [approvalRecord(session, member, request, { amended: requestId })],
    consume,
    release: true,
  });
}
