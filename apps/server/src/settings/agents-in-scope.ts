import { authorize } from '../auth/authorize.ts';
import type { SettingsPrincipal } from '../auth/principal.ts';
import type { AgentRecord } from '../store/agent-record.ts';
import type { SettingsStore } from '../store/settings-store.ts';
import { allRecords } from './all-records.ts';
import { invalid, notFound } from './settings-error.ts';

/** What of one tenant is looked at together at most: what they said is merged, and added up. */
const maxAgents = 100;

interface Scope {
  readonly tenantId?: string | undefined;
  readonly agentId?: string | undefined;
}

export interface AgentsInScope {
  readonly tenantId: string;
  readonly agents: readonly Pick<AgentRecord, 'id' | 'name'>[];
}

/** The agent that is named, or all of a tenant: the one that is named, or that of the member who asks. */
export async function agentsInScope(
  { agents }: Pick<SettingsStore, 'agents'>,
  principal: SettingsPrincipal,
  { tenantId: named, agentId }: Scope,
): Promise<AgentsInScope> {
  if (agentId !== undefined) {
    const agent = await agents.get(agentId);
    if (!agent || !authorize(principal, agent.tenantId) || (named ?? agent.tenantId) !== agent.tenantId)
      throw notFound();
    return { tenantId: agent.tenantId, agents: [agent] };
  }
  const tenantId = named ?? (principal.kind === 'member' ? principal.tenantId : null);
  if (tenantId === null) throw invalid(['tenantId'], 'Name a tenant or an agent.');
  if (!authorize(principal, tenantId)) throw notFound();
  const found: { id: string; name: string }[] = [];
  for await (const { id, name } of allRecords(agents, { tenantId })) {
    if (found.length === maxAgents)
      throw invalid(['agentId'], `Name an agent: the tenant has more than ${maxAgents}.`);
    found.push({ id, name });
  }
  return { tenantId, agents: found };
}
