import type { AgentView } from '@parley/protocol/settings/agent';
import type { ComposioView } from '@parley/protocol/settings/composio-connection';
import { call } from '../api/call.ts';
import { goInstead } from '../router.ts';
import { announce } from '../ui/announcement.tsx';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { useForm } from '../ui/use-form.ts';
import { composioEntries, ComposioFields } from './composio-fields.tsx';
import { connectTimeoutMs } from './connect-timeout-ms.ts';

interface NewComposioProps {
  readonly agents: readonly AgentView[];
  readonly trail: readonly { readonly name: string; readonly href?: string }[];
}

/** Connects an agent to a toolkit of Composio. */
export function NewComposio({ agents, trail }: NewComposioProps) {
  const { form, values, errors, problem, busy, submit, control, reset } = useForm({
    name: `new composio of ${agents[0]?.tenantId}`,
    initial: { agentId: agents[0]?.id ?? '', ...composioEntries },
    secret: ['apiKey'],
  });
  const connect = async (event: Event) => {
    event.preventDefault();
    await submit(
      ({ agentId, toolkit, name, apiKey, signIn, authConfigId }) => ({
        ...(agentId === '' && { agentId: 'Create an agent first: a connection belongs to one.' }),
        ...(toolkit === '' && { toolkit: 'Enter the slug of a toolkit, such as gmail.' }),
        ...(apiKey === '' && { apiKey: 'Enter the API key of your project at Composio.' }),
        ...(signIn !== 'none' && authConfigId === '' && { authConfigId: 'Enter the id of an auth config.' }),
        ...(name === '' && { name: 'Give it a short name.' }),
      }),
      async ({ url, apiKey, ...entered }) => {
        const body = { ...entered, kind: 'composio', url: url.trim(), apiKey: apiKey.trim() };
        const made = await call<ComposioView>(
          'POST',
          '/connections',
          body,
          AbortSignal.timeout(connectTimeoutMs),
        );
        reset();
        announce(
          made.status === 'connected'
            ? 'Connected. Choose what the agent may use.'
            : made.signIn === 'agent'
              ? 'Saved. Sign in next.'
              : 'Saved, but not connected.',
        );
        goInstead('integrations', 'connections', made.id);
      },
    );
  };
  return (
    <Page
      title="Use Composio"
      trail={trail}
      lead="Composio brings the tools of many services and keeps the accounts. You choose which tools an agent may use."
    >
      <form class="card connection-form" ref={form} noValidate onSubmit={(event) => void connect(event)}>
        {problem && <Problem>{problem}</Problem>}
        <ComposioFields
          errors={errors}
          signIn={values.signIn}
          keyHint="Of your project at Composio. It is encrypted, and never shown again."
          control={control}
        />
        <Field label="Agent" error={errors['agentId']}>
          <select {...control('agentId')}>
            {agents.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        <div class="actions">
          <button type="submit" class="button primary" disabled={busy}>
            {busy ? 'Connecting…' : 'Connect'}
          </button>
        </div>
      </form>
    </Page>
  );
}
