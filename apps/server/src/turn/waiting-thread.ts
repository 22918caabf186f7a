import { asksTeam, hasApproved } from '../session/input-requests.ts';
import type { PendingRequest } from '../session/state/phase.ts';
import type { ThreadChange } from '../store/inbox-store.ts';

/** How the inbox has a conversation in which this is asked: of several that were handed on, it names whom the first was. */
export function waitingThread(requests: readonly PendingRequest[]): ThreadChange & { holder: null } {
  const open = requests.filter(asksTeam);
  const handed = open.find(
    (pending) => pending.delegated && !hasApproved(pending, { by: 'team', member: pending.delegated.to }),
  );
  return { holder: null, isWaiting: open.length > 0, askedOf: handed?.delegated?.to ?? null };
}
