import type { AgentView } from '@parley/protocol/settings/agent';
import { isAtLeast, tenant } from '../api/member.ts';
import { Failed } from '../ui/failed.tsx';
import { Loading } from '../ui/notice.tsx';
import { NoAgents } from '../ui/no-agents.tsx';
import { Page } from '../ui/page.tsx';
import { useAll } from '../ui/use-all.ts';
import { EditTool } from './edit-tool.tsx';
import { ImportTools } from './import-tools.tsx';
import { NewTool } from './new-tool.tsx';
import { ToolList } from './tool-list.tsx';

/** What agents can do beside talking. */
export function Tools({ id }: { readonly id: string | undefined }) {
  const of = tenant.value;
  if (of === null) return <WithoutAgents />;
  return <OfTenant key={of.id} tenantId={of.id} id={id} />;
}

interface OfTenantProps {
  readonly tenantId: string;
  readonly id: string | undefined;
}

function OfTenant({ tenantId, id }: OfTenantProps) {
  const { items, problem } = useAll<AgentView | { readonly id: string; readonly unreadable: true }>(
    `/agents?tenantId=${tenantId}`,
  );
  if (problem) return <Failed>{problem}</Failed>;
  if (items === null) return <Loading />;
  const agents = items.filter((agent): agent is AgentView => !('unreadable' in agent));
  if (agents.length === 0) return <WithoutAgents />;
  if (id === undefined) return <ToolList tenantId={tenantId} agents={agents} />;
  if (id === 'new' && isAtLeast('admin')) return <NewTool tenantId={tenantId} agents={agents} />;
  if (id === 'import' && isAtLeast('admin')) return <ImportTools tenantId={tenantId} agents={agents} />;
  return <EditTool key={id} id={id} agents={agents} />;
}

const WithoutAgents = () => (
  <Page title="Tools" lead="What your agents can look up and do, each a request to one of your own services.">
    <NoAgents why="A tool belongs to an agent, which uses it in conversations." />
  </Page>
);
