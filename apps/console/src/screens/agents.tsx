import type { AgentView } from '@parley/protocol/settings/agent';
import { isAtLeast, tenant } from '../api/member.ts';
import { linkTo } from '../router.ts';
import { isBuiltIn, providerName } from '../agent/providers.ts';
import { WebsiteField } from '../start/website-field.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loading, Problem } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { usePages } from '../ui/use-pages.ts';

type Listed = AgentView | { readonly id: string; readonly unreadable: true };

export function Agents() {
  const of = tenant.value;
  const create = isAtLeast('admin') && (
    <a class="button primary" href={linkTo('start')}>
      New agent
    </a>
  );
  return (
    <Page title="Agents" lead="Each answers on your website and to your servers." action={of && create}>
      {of ? <AgentList key={of.id} tenantId={of.id} /> : <FirstAgent />}
    </Page>
  );
}

function AgentList({ tenantId }: { readonly tenantId: string }) {
  const { items, problem, more } = usePages<Listed>(`/agents?tenantId=${tenantId}`);
  if (items === null) return problem ? <Problem>{problem}</Problem> : <Loading />;
  if (items.length === 0) return <FirstAgent />;
  return (
    <>
      <ul class="cards">
        {items.map((agent) => (
          <li key={agent.id}>
            {'unreadable' in agent ? <Unreadable id={agent.id} /> : <AgentCard agent={agent} />}
          </li>
        ))}
      </ul>
      {problem && <Problem>{problem}</Problem>}
      {more && (
        <button type="button" class="button" onClick={() => void more()}>
          Show more
        </button>
      )}
    </>
  );
}

const AgentCard = ({ agent }: { readonly agent: AgentView }) => (
  <a class="card agent" href={linkTo('agents', agent.id)}>
    <svg class="swatch" viewBox="0 0 1 1" aria-hidden="true">
      <rect width="1" height="1" fill={agent.widget.accent} />
    </svg>
    <span class="agent-name">{agent.name}</span>
    <span class="meta">
      {isBuiltIn(agent.model.provider)
        ? providerName(agent.model.provider)
        : `${providerName(agent.model.provider)} · ${agent.model.model}`}
    </span>
    <span class={agent.active ? 'badge live' : 'badge'}>{agent.active ? 'Live' : 'Paused'}</span>
  </a>
);

const Unreadable = ({ id }: { readonly id: string }) => (
  <div class="card agent">
    <span class="agent-name">{id}</span>
    <span class="meta">This agent cannot be read as it is stored.</span>
  </div>
);

const FirstAgent = () => (
  <Empty icon="agents" title="Your website, with an agent that knows it">
    {isAtLeast('admin') ? (
      <>
        <p class="lead">
          It reads your pages and answers from them, with sources. You see it before anybody else.
        </p>
        <WebsiteField />
        <p class="meta">
          No website? <a href={linkTo('agents', 'new')}>Start without one</a>.
        </p>
      </>
    ) : (
      <p class="hint">An admin of your organisation can create the first one.</p>
    )}
  </Empty>
);
