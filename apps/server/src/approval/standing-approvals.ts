import type { AgentSettings } from '@parley/protocol/settings/agent';
import { mailboxMember, webhookIdOf } from '../session/queue-item.ts';
import type { PendingRequest } from '../session/state/phase.ts';
import { automationId } from '../store/inbox-store.ts';
import type { SettingsStore } from '../store/settings-store.ts';
import { isApprover } from './approver.ts';
import { webhookApprover, type Webhooks } from './webhook-approver.ts';

export interface Team {
  readonly members: Pick<SettingsStore['members'], 'get'>;
  readonly webhooks: Webhooks;
  readonly tenantId: string;
  readonly agentId: string;
  /** Of the agent that asks, as it is now. */
  readonly approvalMail: AgentSettings['approvalMail'];
}

/**
 * What is asked with those alone of its approvals that count now: somebody who has become a viewer, is no member any more
 * or reads a mailbox that is not asked any more has approved nothing.
 */
export async function standingApprovals<Pending extends PendingRequest>(
  team: Team,
  pending: Pending,
): Promise<Pending> {
  const { approvedBy = [] } = pending;
  const stands = await Promise.all(approvedBy.map(({ id }) => mayApprove(team, id)));
  if (stands.every(Boolean)) return pending;
  return { ...pending, approvedBy: approvedBy.filter((_, at) => stands[at]) };
}

/** The visitor has no id, and the holder of the admin token is none of the members. */
export async function mayApprove(
  { members, webhooks, tenantId, agentId, approvalMail = [] }: Team,
  id: string | null,
): Promise<boolean> {
  if (id === null || id === automationId) return true;
  if (id.startsWith('mail:'))
    return approvalMail.some(
      ({ address, memberId }) => memberId === undefined && mailboxMember(address).id === id,
    );
  const webhookId = webhookIdOf(id);
  if (webhookId !== null) return (await webhookApprover(webhooks, { tenantId, agentId }, webhookId)) !== null;
  return isApprover(await members.get(id), tenantId);
}
