import type { AgentView } from '@parley/protocol/settings/agent';
import type { WebhookView } from '@parley/protocol/settings/webhook';
import { call } from '../api/call.ts';
import { goInstead } from '../router.ts';
import { announce } from '../ui/announcement.tsx';
import { Problem } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { useForm } from '../ui/use-form.ts';
import { shownSecret } from './shown-secret.ts';
import { newWebhook, webhookBody, webhookField, webhookProblems } from './webhook-entries.ts';
import { WebhookFields } from './webhook-fields.tsx';

interface NewWebhookProps {
  readonly tenantId: string;
  readonly agents: readonly AgentView[];
  readonly trail: readonly { readonly name: string; readonly href?: string }[];
}

export function NewWebhook({ tenantId, agents, trail }: NewWebhookProps) {
  const form = useForm({ name: `new webhook of ${tenantId}`, initial: newWebhook, fieldOf: webhookField });
  const create = async (event: Event) => {
    event.preventDefault();
    await form.submit(webhookProblems, async (values) => {
      const made = await call<WebhookView>('POST', '/webhooks', { tenantId, ...webhookBody(values) });
      if (made.secret !== undefined) shownSecret.value = { id: made.id, secret: made.secret };
      form.reset();
      announce('The webhook was made. Keep its secret.');
      goInstead('integrations', 'webhooks', made.id);
    });
  };
  return (
    <Page
      title="New webhook"
      trail={trail}
      lead="Your own system is told what happens, within a second, signed and in order."
    >
      <form class="card webhook-form" ref={form.form} noValidate onSubmit={(event) => void create(event)}>
        {form.problem && <Problem>{form.problem}</Problem>}
        <WebhookFields
          agents={agents}
          values={form.values}
          errors={form.errors}
          control={form.control}
          set={form.set}
        />
        <div class="actions">
          <button type="submit" class="button primary" disabled={form.busy}>
            Create webhook
          </button>
        </div>
      </form>
    </Page>
  );
}
