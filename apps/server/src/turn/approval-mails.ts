import { approvalLinkMs } from '../approval/approval-link.ts';
import { isApproval, isOpen } from '../session/input-requests.ts';
import type { PendingRequest } from '../session/state/phase.ts';
import type { NewApprovalMail } from '../store/approval-mail-store.ts';
import type { TurnContext } from './context.ts';

/** Who is written to when the team is asked: at once, and again when half of the time has passed. */
export function approvalMails(
  { agent }: Pick<TurnContext, 'agent'>,
  requests: readonly PendingRequest[],
  now: number,
): readonly NewApprovalMail[] {
  const { approvalMail = [] } = agent.settings;
  return requests
    .filter((pending) => pending.by !== 'visitor' && isApproval(pending.request) && isOpen(pending, now))
    .flatMap(({ request: { requestId }, expiresAt, by }) => {
      const lastsMs = Math.min((expiresAt ?? Infinity) - now, approvalLinkMs);
      return approvalMail.flatMap(({ address, memberId = null }) => {
        // Of two members each is one: a mailbox that is nobody’s could be read by both.
        if (by === 'two' && memberId === null) return [];
        const mail = { requestId, address, memberId, endsInMs: lastsMs };
        return [
          { ...mail, isReminder: false, dueInMs: 0 },
          { ...mail, isReminder: true, dueInMs: Math.floor(lastsMs / 2) },
        ];
      });
    });
}
