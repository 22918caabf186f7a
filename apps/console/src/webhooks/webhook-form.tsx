import type { AgentView } from '@parley/protocol/settings/agent';
import type { WebhookView } from '@parley/protocol/settings/webhook';
import { call } from '../api/call.ts';
import { announce } from '../ui/announcement.tsx';
import { Check } from '../ui/check.tsx';
import { SavedForm } from '../ui/saved-form.tsx';
import { useForm } from '../ui/use-form.ts';
import { webhookChanges, webhookEntries, webhookField, webhookProblems } from './webhook-entries.ts';
import { WebhookFields } from './webhook-fields.tsx';

interface WebhookFormProps {
  readonly webhook: WebhookView;
  readonly agents: readonly AgentView[];
  readonly onSaved: (webhook: WebhookView) => void;
}

export function WebhookForm({ webhook, agents, onSaved }: WebhookFormProps) {
  const initial = webhookEntries(webhook);
  const form = useForm({ name: `webhook ${webhook.id}`, initial, fieldOf: webhookField });
  const save = () =>
    form.submit(webhookProblems, async (values) => {
      const path = `/webhooks/${webhook.id}`;
      const now = webhookEntries(await call<WebhookView>('GET', path));
      const saved = await call<WebhookView>('PATCH', path, webhookChanges(initial, values, now));
      form.reset();
      onSaved(saved);
      announce('Saved.');
    });
  return (
    <section>
      <h2 class="section">Settings</h2>
      <SavedForm class="webhook-form" form={form} onSave={save}>
        <WebhookFields
          agents={agents}
          values={form.values}
          errors={form.errors}
          control={form.control}
          set={form.set}
        />
        <Check
          label="Switched on"
          hint="Of what happens while it is off, it is never told; what waits is given up."
          checked={form.values.active !== ''}
          onChange={(on) => form.set('active', on ? 'yes' : '')}
        />
      </SavedForm>
    </section>
  );
}
