import type { AgentView } from '@parley/protocol/settings/agent';
import type { MailView } from '@parley/protocol/settings/mail-connection';
import { call } from '../api/call.ts';
import { goInstead } from '../router.ts';
import { announce } from '../ui/announcement.tsx';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { useForm } from '../ui/use-form.ts';
import { connectTimeoutMs } from './connect-timeout-ms.ts';
import { mailBody, mailField, mailProblems, newMail } from './mail-entries.ts';
import { MailFields } from './mail-fields.tsx';

interface NewMailProps {
  readonly agents: readonly AgentView[];
  readonly trail: readonly { readonly name: string; readonly href?: string }[];
}

/** Lets an agent send mail by the firm's own server. */
export function NewMail({ agents, trail }: NewMailProps) {
  const form = useForm({
    name: `new mail of ${agents[0]?.tenantId}`,
    initial: newMail(agents[0]?.id ?? ''),
    secret: ['password'],
    fieldOf: mailField,
  });
  const create = async (event: Event) => {
    event.preventDefault();
    await form.submit(
      (values) => ({
        ...mailProblems(values),
        ...(values.agentId === '' && { agentId: 'Create an agent first: a connection belongs to one.' }),
      }),
      async (values) => {
        const body = {
          agentId: values.agentId,
          kind: 'mail',
          ...mailBody(values),
          ...(values.notices !== '' && { notices: true }),
        };
        const made = await call<MailView>(
          'POST',
          '/connections',
          body,
          AbortSignal.timeout(connectTimeoutMs),
        );
        form.reset();
        announce(
          made.status === 'connected' ? 'The mail server lets the agent in.' : 'Saved, but not connected.',
        );
        goInstead('integrations', 'connections', made.id);
      },
    );
  };
  return (
    <Page
      title="Send mail"
      trail={trail}
      lead="The agent writes, the visitor sees it before it leaves, and your own mail server sends it."
    >
      <form class="card connection-form" ref={form.form} noValidate onSubmit={(event) => void create(event)}>
        {form.problem && <Problem>{form.problem}</Problem>}
        <MailFields
          values={form.values}
          errors={form.errors}
          control={form.control}
          set={form.set}
          passwordHint="It is encrypted, and never shown again."
        />
        <Field label="Agent" error={form.errors['agentId']}>
          <select {...form.control('agentId')}>
            {agents.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        <div class="actions">
          <button type="submit" class="button primary" disabled={form.busy}>
            {form.busy ? 'Connecting…' : 'Connect'}
          </button>
        </div>
      </form>
    </Page>
  );
}
