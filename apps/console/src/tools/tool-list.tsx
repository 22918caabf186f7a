import type { AgentView } from '@parley/protocol/settings/agent';
import type { ToolView } from '@parley/protocol/settings/tool';
import { isAtLeast } from '../api/member.ts';
import { linkTo } from '../router.ts';
import { Empty } from '../ui/empty.tsx';
import { Loading, Problem } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { usePages } from '../ui/use-pages.ts';

type Listed = ToolView | { readonly id: string; readonly unreadable: true };

interface ToolListProps {
  readonly tenantId: string;
  readonly agents: readonly AgentView[];
}

export function ToolList({ tenantId, agents }: ToolListProps) {
  const { items, problem, more } = usePages<Listed>(`/tools?tenantId=${tenantId}`);
  const add = isAtLeast('admin') && (
    <div class="actions">
      <a class="button" href={linkTo('tools', 'import')}>
        Import
      </a>
      <a class="button primary" href={linkTo('tools', 'new')}>
        New tool
      </a>
    </div>
  );
  return (
    <Page
      title="Tools"
      lead="What your agents can look up and do, each a request to one of your own services."
      action={items !== null && items.length > 0 && add}
    >
      {problem && <Problem>{problem}</Problem>}
      {items === null && !problem && <Loading />}
      {items?.length === 0 && (
        <Empty icon="tools" title="No agent can do anything yet but talk">
          <p class="lead">
            Paste a curl line that works, or the description of your API, and an agent can use it.
          </p>
          {add || <p class="hint">An admin of your organisation can add one.</p>}
        </Empty>
      )}
      {items !== null && items.length > 0 && (
        <ul class="rows card">
          {items.map((tool) => (
            <li key={tool.id}>
              {'unreadable' in tool ? (
                <span class="meta">{tool.id} cannot be read as it is stored.</span>
              ) : (
                <Row tool={tool} agent={agents.find(({ id }) => id === tool.agentId)} />
              )}
            </li>
          ))}
        </ul>
      )}
      {more && (
        <button type="button" class="button" onClick={() => void more()}>
          Show more
        </button>
      )}
    </Page>
  );
}

function Row({ tool, agent }: { readonly tool: ToolView; readonly agent: AgentView | undefined }) {
  const { id, name, description, approval, request } = tool;
  return (
    <>
      <div class="tool-summary">
        <a class="row-name" href={linkTo('tools', id)}>
          {name}
        </a>
        <p class="meta tool-line">{description}</p>
        <p class="meta">
          {agent?.name} · {request.method} {/^https?:\/\/([^/]*)/.exec(request.url)?.[1]}
        </p>
      </div>
      <span class={approval === 'never' ? 'badge' : 'badge live'}>
        {approval === 'never' ? 'Runs by itself' : 'Asks first'}
      </span>
    </>
  );
}
