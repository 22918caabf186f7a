import { hasApproved, neededApprovals } from '../session/input-requests.ts';
import type { PendingRequest } from '../session/state/phase.ts';
import { mayApprove, type Team } from './standing-approvals.ts';

/**
 * Whom it was handed to, if it still is theirs to answer: whoever has said yes, may only look by now or is no member any
 * more is asked no longer, and the team is again.
 */
export async function delegateOf(
  team: Team,
  pending: PendingRequest,
): Promise<NonNullable<PendingRequest['delegated']> | null> {
  const { delegated } = pending;
  if (!delegated || hasApproved(pending, { by: 'team', member: delegated.to })) return null;
  return (await mayApprove(team, delegated.to.id)) ? delegated : null;
}

/**
 * Whether this mailbox is written to: once somebody was handed it theirs alone are. Where none of them is written to, or
 * where two members have to approve and none has, so that the answer of one does not do, the others are written to as well.
 */
export function isWrittenTo(
  { approvalMail = [] }: Pick<Team, 'approvalMail'>,
  pending: PendingRequest,
  delegate: { readonly to: { readonly id: string } } | null,
  memberId: string | null,
): boolean {
  if (delegate === null || memberId === delegate.to.id) return true;
  const missing = neededApprovals(pending) - (pending.approvedBy?.length ?? 0);
  if (pending.by === 'two' && missing > 1) return true;
  return !approvalMail.some((mailbox) => mailbox.memberId === delegate.to.id);
}
