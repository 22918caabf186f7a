import { asksTeam, hasApproved } from '../session/input-requests.ts';
import type { PendingRequest } from '../session/state/phase.ts';
import type { ThreadChange } from '../store/inbox-store.ts';

/** How the inbox has a conversation in which this is asked, with the approvals alone that count now. */
export function waitingThread(requests: readonly PendingRequest[]): ThreadChange & { holder: null } {
  const open = requests.filter(asksTeam);
  const askedOf = open.flatMap((pending) => {
    const to = pending.delegated?.to;
    return to && !hasApproved(pending, { by: 'team', member: to }) ? [to.id] : [];
  });
  return { holder: null, isWaiting: open.length > 0, askedOf: [...new Set(askedOf)] };
}
