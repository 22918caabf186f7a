import { asksTeam, hasApproved, isApproval, isOpen, mayAnswer } from '../session/input-requests.ts';
import type { TeamMember } from '../session/queue-item.ts';
import type { PendingRequest } from '../session/state/phase.ts';

/** How often one approval is handed on at most: each time is an event of the log and mails. */
const maxDelegations = 10;

/** Why a member may not hand an approval to one who may approve, or take to themselves what another one was handed; null: they may. */
export function delegationProblem(
  pending: PendingRequest | undefined,
  { from, to }: { readonly from: TeamMember; readonly to: Pick<TeamMember, 'id' | 'name'> },
  now: number,
): string | null {
  if (!pending || !isApproval(pending.request) || !isOpen(pending, now) || pending.by === 'visitor')
    return 'This approval does not wait any more. Look at the conversation again.';
  if (!asksTeam(pending)) return 'The team has approved it. The visitor has to, too.';
  if (!mayAnswer(pending, { by: 'team', member: from }))
    return 'Two different members have to approve it: an admin token is none of them.';
  const { times = 0, to: asked } = pending.delegated ?? {};
  if (from.id === to.id && (asked === undefined || asked.id === to.id)) return 'You can answer it yourself.';
  if (hasApproved(pending, { by: 'team', member: to })) return `${to.name} has approved it already.`;
  if (asked?.id === to.id) return `${to.name} is asked already.`;
  if (times >= maxDelegations)
    return `An approval is handed on ${maxDelegations} times at most. Whoever of the team is there can answer it.`;
  return null;
}
