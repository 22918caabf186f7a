import type { AgentView } from '@parley/protocol/settings/agent';
import { isAtLeast, tenant } from '../api/member.ts';
import { linkTo } from '../router.ts';
import { Failed } from '../ui/failed.tsx';
import { Loading } from '../ui/notice.tsx';
import { NoAgents } from '../ui/no-agents.tsx';
import { Page } from '../ui/page.tsx';
import { useAll } from '../ui/use-all.ts';
import { ConnectionScreen } from './connection-screen.tsx';
import { NewCalendar } from './new-calendar.tsx';
import { NewComposio } from './new-composio.tsx';
import { NewMail } from './new-mail.tsx';
import { NewConnection } from './new-connection.tsx';

const trail = [{ name: 'Settings' }, { name: 'Integrations', href: linkTo('integrations') }];

/** Settings, Integrations, and there one connection or a new one. */
export function Connections({ id }: { readonly id: string | undefined }) {
  const of = tenant.value;
  if (of === null || id === undefined) return <WithoutAgents />;
  return <OfTenant key={`${of.id} ${id}`} tenantId={of.id} id={id} />;
}

function OfTenant({ tenantId, id }: { readonly tenantId: string; readonly id: string }) {
  const { items, problem } = useAll<AgentView | { readonly id: string; readonly unreadable: true }>(
    `/agents?tenantId=${tenantId}`,
  );
  if (problem) return <Failed trail={trail}>{problem}</Failed>;
  if (items === null) return <Loading />;
  const agents = items.filter((agent): agent is AgentView => !('unreadable' in agent));
  if (agents.length === 0) return <WithoutAgents />;
  if (id === 'new-calendar' && isAtLeast('admin')) return <NewCalendar agents={agents} trail={trail} />;
  if (id === 'new-composio' && isAtLeast('admin')) return <NewComposio agents={agents} trail={trail} />;
  if (id === 'new-mail' && isAtLeast('admin')) return <NewMail agents={agents} trail={trail} />;
  return id === 'new' && isAtLeast('admin') ? (
    <NewConnection agents={agents} trail={trail} />
  ) : (
    <ConnectionScreen id={id} agents={agents} trail={trail} />
  );
}

const WithoutAgents = () => (
  <Page title="Connections" trail={trail}>
    <NoAgents why="A connection gives its tools to an agent." />
  </Page>
);
