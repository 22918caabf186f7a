import { mailboxMember, type TeamMember, webhookIdOf } from '../session/queue-item.ts';
import type { SettingsCache } from '../settings/settings-cache.ts';
import type { SessionRecord } from '../store/session-store.ts';
import type { MemberRecord, SettingsStore } from '../store/settings-store.ts';
import type { ApprovalLink } from './approval-link.ts';
import { webhookApprover, type Webhooks } from './webhook-approver.ts';

/** Whether they may approve what the agents of a tenant do. */
export const isApprover = (member: MemberRecord | null, tenantId: string): member is MemberRecord =>
  member !== null && member.role !== 'viewer' && (member.tenantId === null || member.tenantId === tenantId);

export interface ApproverDeps {
  readonly settings: Pick<SettingsCache, 'agent'>;
  readonly members: Pick<SettingsStore['members'], 'get'>;
  readonly webhooks: Webhooks;
}

/**
 * The approver that a link answers for: the webhook it was sent to, as long as that leads to the same place; the member whose
 * mailbox it was sent to, who counts once in the inbox and by mail; else the address itself. Null once the agent does not name
 * the mailbox any more, or the member is gone or a viewer: a mail that was kept has no say then.
 */
export async function approverOf(
  { settings, members, webhooks }: ApproverDeps,
  { agentId, tenantId }: Pick<SessionRecord, 'agentId' | 'tenantId'>,
  { address, memberId }: Pick<ApprovalLink, 'address' | 'memberId'>,
): Promise<TeamMember | null> {
  const [webhookId = null, place = ''] = webhookIdOf(address)?.split(' ') ?? [];
  if (webhookId !== null) return webhookApprover(webhooks, { agentId, tenantId }, webhookId, place);
  const agent = await settings.agent(agentId);
  const isNamed = agent?.settings.approvalMail?.some(
    (mail) => mail.address === address && (mail.memberId ?? null) === memberId,
  );
  if (!isNamed) return null;
  if (memberId === null) return mailboxMember(address);
  const member = await members.get(memberId);
  return isApprover(member, tenantId) ? { id: member.id, name: member.name } : null;
}
