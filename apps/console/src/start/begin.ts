import type { AgentView } from '@parley/protocol/settings/agent';
import type { AgentProposal } from '@parley/protocol/settings/website';
import { call } from '../api/call.ts';
import { loadTenants, tenant } from '../api/member.ts';

/** What one website may cost before somebody has looked at its numbers. */
export const safeLimits = { sessionsPerKeyPerDay: 2_000, turnsPerKeyPerDay: 10_000, tokensPerDay: 5_000_000 };
const maxPages = 30;
/** Characters of a name of an organisation or a source. */
const maxName = 80;

/** What was made before something failed, which is not made twice. */
export interface Begun {
  tenantId?: string;
  agent?: AgentView;
  address?: string;
  hasKey?: boolean;
}

/** Everything that answers for a website and nobody sees yet: its key is for no page. Goes on with what is begun. */
export async function begin(proposal: AgentProposal, begun: Begun): Promise<AgentView> {
  const { address, name, instructions, accent, greeting, prompts, language } = proposal;
  const isFirst = tenant.value === null;
  begun.tenantId = tenant.value?.id ?? begun.tenantId ?? (await createTenant(name)).id;
  const { tenantId } = begun;
  if (begun.agent?.tenantId !== tenantId || begun.address !== address) {
    begun.agent = await call<AgentView>('POST', '/agents', {
      tenantId,
      name,
      instructions,
      model: { provider: 'quoting', model: 'quoting' },
      widget: { accent, greeting, prompts },
      limits: safeLimits,
    });
    begun.address = address;
    begun.hasKey = false;
  }
  const { agent } = begun;
  const key = { tenantId, agentId: agent.id, kind: 'publishable', label: name, allowMissingOrigin: false };
  if (!begun.hasKey) await call('POST', '/keys', key);
  begun.hasKey = true;
  await call('POST', '/sources', {
    agentId: agent.id,
    kind: 'website',
    name: new URL(address).hostname.slice(0, maxName),
    url: address,
    maxPages,
    ...(language !== null && { language }),
  });
  // Not before: with a tenant the screen is another one, and does not say what has failed.
  if (isFirst) await loadTenants();
  return agent;
}

const createTenant = (name: string) =>
  call<{ id: string }>('POST', '/tenants', { name: name.slice(0, maxName) });
