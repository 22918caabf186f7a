import type { AgentView } from '@parley/protocol/settings/agent';
import type { KeyView } from '@parley/protocol/settings/key';
import { useState } from 'preact/hooks';
import { isAtLeast, tenant } from '../api/member.ts';
import { linkTo } from '../router.ts';
import { Loading, Problem } from '../ui/notice.tsx';
import { NoAgents } from '../ui/no-agents.tsx';
import { Page } from '../ui/page.tsx';
import { useAll } from '../ui/use-all.ts';
import { KeyCard } from './key-card.tsx';
import { NewKey } from './new-key.tsx';
import { WidgetChannel } from './widget-channel.tsx';

/** Settings, Integrations, Channels, API. */
export function ApiChannel() {
  const of = tenant.value;
  return (
    <Page
      title="API"
      trail={[
        { name: 'Settings' },
        { name: 'Integrations', href: linkTo('integrations') },
        { name: 'Channels', href: linkTo('integrations') },
      ]}
      lead="A key is bound to one agent and decides which one answers."
    >
      {of ? <Keys key={of.id} tenantId={of.id} /> : <WithoutAgents />}
    </Page>
  );
}

const WithoutAgents = () => <NoAgents why="A key decides which agent answers." />;

function Keys({ tenantId }: { readonly tenantId: string }) {
  const keys = useAll<KeyView>(`/keys?tenantId=${tenantId}`);
  const agents = useAll<AgentView>(`/agents?tenantId=${tenantId}`);
  /** A secret key that was made just now, and is nowhere else. */
  const [shown, setShown] = useState<KeyView | null>(null);
  const problem = keys.problem ?? agents.problem;
  if (keys.items === null || agents.items === null)
    return problem ? <Problem>{problem}</Problem> : <Loading />;
  if (agents.items.length === 0 && keys.items.length === 0) return <WithoutAgents />;
  // A list that could not be read again does not have the key that was made.
  const isUnlisted = keys.problem !== null && keys.items.every(({ id }) => id !== shown?.id);
  const listed = shown && isUnlisted ? [...keys.items, shown] : keys.items;
  const made = async (key: KeyView) => {
    setShown(key);
    await keys.reload();
  };
  const cards = (kind: KeyView['kind']) => (
    <ul class="stack">
      {listed
        .filter((key) => key.kind === kind)
        .map((key) => (
          <li key={key.id}>
            <KeyCard
              keyView={shown?.id === key.id ? { ...shown, ...key } : key}
              agentName={agents.items?.find(({ id }) => id === key.agentId)?.name ?? null}
              onMade={made}
              onChanged={keys.reload}
            />
          </li>
        ))}
    </ul>
  );
  return (
    <>
      {problem && <Problem>{problem}</Problem>}
      <section>
        <h2 class="section">Secret keys</h2>
        <p class="lead">For your servers. Never put one into a page or an app.</p>
        {cards('secret')}
        {isAtLeast('admin') && (
          <NewKey kind="secret" tenantId={tenantId} agents={agents.items} onMade={made} />
        )}
      </section>
      <section>
        <h2 class="section">Publishable keys</h2>
        <p class="lead">For pages: each works on the addresses that it lists.</p>
        {cards('publishable')}
        {isAtLeast('admin') && (
          <NewKey kind="publishable" tenantId={tenantId} agents={agents.items} onMade={made} />
        )}
      </section>
      {agents.items.length > 0 && <WidgetChannel agents={agents.items} keys={keys.items} />}
    </>
  );
}
