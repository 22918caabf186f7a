import type { Delivery, DeliveryDetail, WebhookEvent } from '@parley/protocol/settings/webhook';
import { useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { announce } from '../ui/announcement.tsx';
import { Code } from '../ui/code.tsx';
import { Loading, Problem } from '../ui/notice.tsx';
import { Time } from '../ui/time.tsx';
import { eventWords } from './event-words.ts';

const words = { waiting: 'Waiting', delivered: 'Delivered', failed: 'Given up' };
const tones = { waiting: '', delivered: 'live', failed: 'warn' };

/** One event, and what came of telling it. */
export function DeliveryRow({ delivery: listed }: { readonly delivery: Delivery }) {
  const [detail, setDetail] = useState<DeliveryDetail | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const path = `/webhooks/${listed.webhookId}/deliveries/${listed.id}`;
  const ask = async (asked: Promise<DeliveryDetail>) => {
    try {
      setDetail(await asked);
      setProblem(null);
      return true;
    } catch (error) {
      setProblem(sentenceOf(error));
      return false;
    }
  };
  const replay = async () => {
    if (await ask(call('POST', `${path}/replay`))) announce('It is sent again.');
  };
  const { status, type, createdAt, attempts, httpStatus, durationMs } = detail ?? listed;
  return (
    <li>
      <details
        class="webhook-delivery"
        onToggle={({ currentTarget }) => {
          if (currentTarget.open) void ask(call('GET', path));
        }}
      >
        <summary>
          <span class="webhook-delivery-name">{eventWords[type as WebhookEvent]?.label ?? type}</span>
          <span class="meta">
            <Time at={createdAt} />
            {httpStatus !== null && ` · ${httpStatus}`}
            {durationMs !== null && ` · ${durationMs} ms`}
            {attempts > 1 && ` · ${attempts} attempts`}
          </span>
          <span class={`badge ${tones[status]}`}>{words[status]}</span>
        </summary>
        {problem && <Problem>{problem}</Problem>}
        {detail === null && !problem && <Loading />}
        {detail && <Detail detail={detail} onReplay={() => void replay()} />}
      </details>
    </li>
  );
}

interface DetailProps {
  readonly detail: DeliveryDetail;
  readonly onReplay: () => void;
}

const Detail = ({ detail, onReplay }: DetailProps) => (
  <div class="webhook-detail">
    {detail.problem !== null && <p class="error">{detail.problem}</p>}
    <p class="meta">
      <code>webhook-id: {detail.eventId}</code>
    </p>
    <Code label="The request" text={pretty(detail.body)} />
    {detail.response !== null && detail.response !== '' && (
      <Code label="How the answer begins" text={detail.response} />
    )}
    {detail.status !== 'waiting' && (
      <div>
        <button type="button" class="button small" onClick={onReplay}>
          Send again
        </button>
      </div>
    )}
  </div>
);

const pretty = (body: string): string => JSON.stringify(JSON.parse(body), null, 2);
