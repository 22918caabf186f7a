import type { AgentView } from '@parley/protocol/settings/agent';
import type { AgentProposal } from '@parley/protocol/settings/website';
import { call } from '../api/call.ts';
import { loadTenants, tenant } from '../api/member.ts';

/** What one website may cost before somebody has looked at its numbers. */
const safeLimits = { sessionsPerKeyPerDay: 2_000, turnsPerKeyPerDay: 10_000, tokensPerDay: 5_000_000 };
const maxPages = 30;
/** Characters of a name of an organisation or a source. */
const maxName = 80;

/** Everything that answers for a website and nobody sees yet: its key is for no page. */
export async function begin(proposal: AgentProposal): Promise<AgentView> {
  const { address, name, instructions, accent, greeting, prompts, language } = proposal;
  const of =
    tenant.value ?? (await call<{ id: string }>('POST', '/tenants', { name: name.slice(0, maxName) }));
  if (tenant.value === null) await loadTenants();
  const agent = await call<AgentView>('POST', '/agents', {
    tenantId: of.id,
    name,
    instructions,
    model: { provider: 'quoting', model: 'quoting' },
    widget: { accent, greeting, prompts },
    limits: safeLimits,
  });
  await call('POST', '/keys', {
    tenantId: of.id,
    agentId: agent.id,
    kind: 'publishable',
    label: name,
    allowMissingOrigin: false,
  });
  await call('POST', '/sources', {
    agentId: agent.id,
    kind: 'website',
    name: new URL(address).hostname.slice(0, maxName),
    url: address,
    maxPages,
    ...(language !== null && { language }),
  });
  return agent;
}
