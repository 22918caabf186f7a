import type { AgentView } from '@parley/protocol/settings/agent';
import { isAtLeast, tenant } from '../api/member.ts';
import { linkTo } from '../router.ts';
import { Loading, Problem } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { usePages } from '../ui/use-pages.ts';
import { EditTool } from './edit-tool.tsx';
import { ImportTools } from './import-tools.tsx';
import { NewTool } from './new-tool.tsx';
import { ToolList } from './tool-list.tsx';

/** What agents can do beside talking. */
export function Tools({ id }: { readonly id: string | undefined }) {
  const of = tenant.value;
  if (of === null)
    return (
      <Page title="Tools">
        <p class="notice">
          Create an agent first: a tool belongs to one. <a href={linkTo('agents', 'new')}>New agent</a>
        </p>
      </Page>
    );
  return <OfTenant key={of.id} tenantId={of.id} id={id} />;
}

interface OfTenantProps {
  readonly tenantId: string;
  readonly id: string | undefined;
}

function OfTenant({ tenantId, id }: OfTenantProps) {
  const { items, problem } = usePages<AgentView | { readonly id: string; readonly unreadable: true }>(
    `/agents?tenantId=${tenantId}`,
    200,
  );
  if (problem) return <Problem>{problem}</Problem>;
  if (items === null) return <Loading />;
  const agents = items.filter((agent): agent is AgentView => !('unreadable' in agent));
  if (id === undefined) return <ToolList tenantId={tenantId} agents={agents} />;
  if (id === 'new' && isAtLeast('admin')) return <NewTool agents={agents} />;
  if (id === 'import' && isAtLeast('admin')) return <ImportTools agents={agents} />;
  return <EditTool key={id} id={id} agents={agents} />;
}
