import type { standingApprovals } from '../../approval/standing-approvals.ts';
import type { TurnContext } from '../context.ts';

/** Who may approve what the agent of a turn does. */
export const teamOf = ({
  store,
  session,
  agent,
}: Pick<TurnContext, 'store' | 'session' | 'agent'>): Parameters<typeof standingApprovals>[0] => ({
  members: store.settings.members,
  webhooks: store.settings.webhooks,
  tenantId: session.tenantId,
  agentId: session.agentId,
  approvalMail: agent.settings.approvalMail,
});
