import type { AgentView } from '@parley/protocol/settings/agent';
import type { WebhookTestView, WebhookView } from '@parley/protocol/settings/webhook';
import { useEffect, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call, deleteIfThere, revalidation } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { go } from '../router.ts';
import { announce } from '../ui/announcement.tsx';
import { confirm } from '../ui/confirm.tsx';
import { Failed } from '../ui/failed.tsx';
import { Loading, Problem } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { WebhookBadge } from './webhook-badge.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookSecret } from './webhook-secret.tsx';

/** An address that takes its time. */
const testTimeoutMs = 30_000;

interface WebhookScreenProps {
  readonly id: string;
  readonly agents: readonly AgentView[];
  readonly trail: readonly { readonly name: string; readonly href?: string }[];
}

export function WebhookScreen({ id, agents, trail }: WebhookScreenProps) {
  const [webhook, setWebhook] = useState<WebhookView | null>(null);
  const [tested, setTested] = useState<WebhookTestView | null>(null);
  const [isTesting, setTesting] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const round = revalidation.value;
  const attempt = async (action: () => Promise<void>) => {
    try {
      await action();
      setProblem(null);
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  useEffect(() => {
    if (round !== null) void attempt(async () => setWebhook(await call('GET', `/webhooks/${id}`)));
  }, [id, round]);
  if (webhook === null) return problem ? <Failed trail={trail}>{problem}</Failed> : <Loading />;

  const test = async () => {
    setTesting(true);
    setTested(null);
    const signal = AbortSignal.timeout(testTimeoutMs);
    await attempt(async () => setTested(await call('POST', `/webhooks/${id}/test`, undefined, signal)));
    setTesting(false);
  };
  const remove = async () => {
    const text = 'It is told nothing more, and the log of its deliveries goes with it.';
    if (!(await confirm({ title: `Delete ${webhook.name}?`, text, action: 'Delete' }))) return;
    await attempt(async () => {
      await deleteIfThere(`/webhooks/${id}`);
      announce(`${webhook.name} was deleted.`);
      go('integrations', 'webhooks');
    });
  };
  return (
    <Page
      title={webhook.name}
      trail={trail}
      lead={
        <>
          <WebhookBadge status={webhook.status} /> {webhook.url}
        </>
      }
      action={
        isAtLeast('admin') && (
          <div class="actions">
            <button type="button" class="button" disabled={isTesting} onClick={() => void test()}>
              {isTesting ? 'Sending…' : 'Send a test'}
            </button>
            <button type="button" class="button danger-quiet" onClick={() => void remove()}>
              Delete
            </button>
          </div>
        )
      }
    >
      {problem && <Problem>{problem}</Problem>}
      {webhook.problem !== null && <Problem isState>{webhook.problem}</Problem>}
      {tested && <Tested tested={tested} />}
      <WebhookSecret webhook={webhook} onChanged={setWebhook} />
      {isAtLeast('admin') && <DeliveryLog webhookId={id} />}
      <WebhookForm key={JSON.stringify(webhook)} webhook={webhook} agents={agents} onSaved={setWebhook} />
    </Page>
  );
}

function Tested({
  tested: { status, httpStatus, durationMs, response, problem },
}: {
  readonly tested: WebhookTestView;
}) {
  const answered = response ? ` It said: ${response.slice(0, 200)}` : '';
  if (status === 'failed') return <Problem isState>{`The test failed. ${problem}${answered}`}</Problem>;
  return (
    <p class="notice" role="status">
      The test was taken: {httpStatus} within {durationMs} ms.{answered}
    </p>
  );
}
