import type { AgentView } from '@parley/protocol/settings/agent';
import { isAtLeast, tenant } from '../api/member.ts';
import { linkTo } from '../router.ts';
import { Failed } from '../ui/failed.tsx';
import { Loading } from '../ui/notice.tsx';
import { NoAgents } from '../ui/no-agents.tsx';
import { Page } from '../ui/page.tsx';
import { useAll } from '../ui/use-all.ts';
import { NewWebhook } from './new-webhook.tsx';
import { WebhookList } from './webhook-list.tsx';
import { WebhookScreen } from './webhook-screen.tsx';

const above = [{ name: 'Settings' }, { name: 'Integrations', href: linkTo('integrations') }];
const trail = [...above, { name: 'Webhooks', href: linkTo('integrations', 'webhooks') }];

/** Settings, Integrations, and there all webhooks, one of them or a new one. */
export function Webhooks({ id }: { readonly id: string | undefined }) {
  const of = tenant.value;
  if (of === null)
    return (
      <Page title="Webhooks" trail={above}>
        <NoAgents why="A webhook is told of the conversations with your agents." />
      </Page>
    );
  if (id === undefined) return <WebhookList key={of.id} tenantId={of.id} trail={above} />;
  return <OfTenant key={`${of.id} ${id}`} tenantId={of.id} id={id} />;
}

function OfTenant({ tenantId, id }: { readonly tenantId: string; readonly id: string }) {
  const { items, problem } = useAll<AgentView | { readonly id: string; readonly unreadable: true }>(
    `/agents?tenantId=${tenantId}`,
  );
  if (problem) return <Failed trail={above}>{problem}</Failed>;
  if (items === null) return <Loading />;
  const agents = items.filter((agent): agent is AgentView => !('unreadable' in agent));
  return id === 'new' && isAtLeast('admin') ? (
    <NewWebhook tenantId={tenantId} agents={agents} trail={trail} />
  ) : (
    <WebhookScreen id={id} agents={agents} trail={trail} />
  );
}
