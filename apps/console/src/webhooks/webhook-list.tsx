import type { WebhookView } from '@parley/protocol/settings/webhook';
import { isAtLeast } from '../api/member.ts';
import { linkTo } from '../router.ts';
import { Empty } from '../ui/empty.tsx';
import { Failed } from '../ui/failed.tsx';
import { Loading } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { usePages } from '../ui/use-pages.ts';
import { WebhookBadge } from './webhook-badge.tsx';

type Listed = WebhookView | { readonly id: string; readonly unreadable: true };

interface WebhookListProps {
  readonly tenantId: string;
  readonly trail: readonly { readonly name: string; readonly href?: string }[];
}

/** Where the systems of a tenant are told what happens. */
export function WebhookList({ tenantId, trail }: WebhookListProps) {
  const { items, problem } = usePages<Listed>(`/webhooks?tenantId=${tenantId}`);
  if (problem) return <Failed trail={trail}>{problem}</Failed>;
  if (items === null) return <Loading />;
  const add = isAtLeast('admin') && (
    <a class="button primary" href={linkTo('integrations', 'webhooks', 'new')}>
      New webhook
    </a>
  );
  return (
    <Page
      title="Webhooks"
      trail={trail}
      lead="Your own systems are told what happens in conversations, as it happens."
      action={items.length > 0 && add}
    >
      {items.length === 0 && (
        <Empty icon="webhooks" title="Nothing of yours is told anything yet">
          <p class="lead">
            A webhook tells a CRM, a ticket system or a channel of your team about conversations, approvals
            and ratings.
          </p>
          {add || <p class="hint">An admin of your organisation can add one.</p>}
          <p class="meta">
            <a href="/docs/webhooks">How to receive one</a>
          </p>
        </Empty>
      )}
      {items.length > 0 && (
        <ul class="rows card">
          {items.map((webhook) => (
            <li key={webhook.id}>
              {'unreadable' in webhook ? (
                <span class="meta">{webhook.id} cannot be read as it is stored.</span>
              ) : (
                <>
                  <div class="tool-summary">
                    <a class="row-name" href={linkTo('integrations', 'webhooks', webhook.id)}>
                      {webhook.name}
                    </a>
                    <p class="meta">
                      {URL.parse(webhook.url)?.host} ·{' '}
                      {webhook.events.length === 1 ? '1 kind' : `${webhook.events.length} kinds`} of event
                    </p>
                  </div>
                  <WebhookBadge status={webhook.status} />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}
