import type { Delivery, ReplayView } from '@parley/protocol/settings/webhook';
import { useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { announce } from '../ui/announcement.tsx';
import { Loading, Problem } from '../ui/notice.tsx';
import { usePages } from '../ui/use-pages.ts';
import { DeliveryRow } from './delivery-row.tsx';

const hourMs = 3_600_000;
const pageSize = 20;

/** What a webhook was told, and what came of it. */
export function DeliveryLog({ webhookId }: { readonly webhookId: string }) {
  const [status, setStatus] = useState('');
  const [hours, setHours] = useState('24');
  const [problem, setProblem] = useState<string | null>(null);
  const path = `/webhooks/${webhookId}/deliveries${status === '' ? '' : `?status=${status}`}`;
  const list = usePages<Delivery>(path, pageSize);
  const replay = async () => {
    try {
      const since = new Date(Date.now() - Number(hours) * hourMs).toISOString();
      const { replayed, more } = await call<ReplayView>('POST', `/webhooks/${webhookId}/replay`, { since });
      setProblem(null);
      announce(
        replayed === 0
          ? 'Nothing was given up in that time.'
          : `${replayed} sent again.${more ? ' There are more: do it again.' : ''}`,
      );
      await list.reload();
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  return (
    <section>
      <h2 class="section">Deliveries</h2>
      <div class="webhook-tools">
        <select
          aria-label="Which deliveries"
          value={status}
          onInput={({ currentTarget }) => setStatus(currentTarget.value)}
        >
          <option value="">All of 14 days</option>
          <option value="waiting">Waiting</option>
          <option value="delivered">Delivered</option>
          <option value="failed">Given up</option>
        </select>
        <button type="button" class="button" onClick={() => void list.reload()}>
          Look again
        </button>
        <span class="webhook-replay">
          <select
            aria-label="Given up since"
            value={hours}
            onInput={({ currentTarget }) => setHours(currentTarget.value)}
          >
            <option value="1">Given up in the last hour</option>
            <option value="24">Given up in the last day</option>
            <option value="336">Given up in 14 days</option>
          </select>
          <button type="button" class="button" onClick={() => void replay()}>
            Send all again
          </button>
        </span>
      </div>
      {(problem ?? list.problem) && <Problem>{problem ?? list.problem}</Problem>}
      {list.items === null && !list.problem && <Loading />}
      {list.items?.length === 0 && (
        <p class="notice">Nothing here yet. What happens in conversations from now on is told and listed.</p>
      )}
      {list.items !== null && list.items.length > 0 && (
        <ul class="rows card">
          {list.items.map((delivery) => (
            <DeliveryRow key={`${delivery.id} ${delivery.status}`} delivery={delivery} />
          ))}
        </ul>
      )}
      {list.more && (
        <button type="button" class="button" onClick={() => void list.more?.()}>
          Show more
        </button>
      )}
    </section>
  );
}
