import type { InputRequest } from '@parley/protocol/ask';
import { changeRecord } from '../../settings/audit.ts';
import type { TeamMember } from '../../session/queue-item.ts';
import type { AuditRecord } from '../../store/audit-store.ts';
import { automationId } from '../../store/inbox-store.ts';
import type { SessionRecord } from '../../store/session-store.ts';

/** What a member did about an approval: written with what it does, so that neither is there without the other. */
export function approvalRecord(
  { id, tenantId }: Pick<SessionRecord, 'id' | 'tenantId'>,
  member: TeamMember,
  { requestId, action: { toolName } }: InputRequest,
  done: object,
): AuditRecord {
  const actor =
    member.id === automationId ? ({ kind: 'admin' } as const) : { ...member, kind: 'member' as const };
  return changeRecord(actor, {
    tenantId,
    action: 'updated',
    kind: 'approval',
    subject: { id, name: toolName },
    before: null,
    after: { ...done, requestId },
  });
}
