import type { AgentView } from '@parley/protocol/settings/agent';
import type { McpView } from '@parley/protocol/settings/mcp-connection';
import { call } from '../api/call.ts';
import { goInstead } from '../router.ts';
import { announce } from '../ui/announcement.tsx';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { useForm } from '../ui/use-form.ts';
import { ClientFields } from './client-fields.tsx';
import { connectTimeoutMs } from './connect-timeout-ms.ts';
import { SignInWays, signInHint } from './sign-in-ways.tsx';
import { nameOf } from './name-of.ts';

interface NewConnectionProps {
  readonly agents: readonly AgentView[];
  readonly trail: readonly { readonly name: string; readonly href?: string }[];
}

/** Connects an agent to a server of tools. */
export function NewConnection({ agents, trail }: NewConnectionProps) {
  const { form, values, errors, problem, busy, change, submit, control, reset } = useForm({
    name: `new connection of ${agents[0]?.tenantId}`,
    initial: {
      agentId: agents[0]?.id ?? '',
      url: '',
      name: '',
      signIn: 'none',
      token: '',
      clientId: '',
      clientIssuer: '',
      clientSecret: '',
    },
    secret: ['token', 'clientSecret'],
  });
  const connect = async (event: Event) => {
    event.preventDefault();
    await submit(
      ({ agentId, url, name }) => ({
        ...(agentId === '' && { agentId: 'Create an agent first: a connection belongs to one.' }),
        ...(!URL.canParse(url) && {
          url: 'Enter the address of the server, such as https://mcp.example.com/mcp.',
        }),
        ...(name === '' && { name: 'Give it a short name.' }),
      }),
      async ({ agentId, url, name, signIn, token, clientId, clientIssuer, clientSecret }) => {
        const isNobody = signIn === 'none';
        const body = {
          agentId,
          kind: 'mcp',
          url: url.trim(),
          name,
          signIn,
          ...(isNobody && token !== '' && { token: token.trim() }),
          ...(!isNobody && clientId !== '' && { clientId: clientId.trim() }),
          ...(!isNobody && clientIssuer !== '' && { clientIssuer: clientIssuer.trim() }),
          ...(!isNobody && clientSecret !== '' && { clientSecret: clientSecret.trim() }),
        };
        const made = await call<McpView>('POST', '/connections', body, AbortSignal.timeout(connectTimeoutMs));
        reset();
        announce(
          made.status === 'connected'
            ? 'Connected. Choose what the agent may use.'
            : isNobody
              ? 'Saved, but not connected.'
              : 'Saved. Sign in next.',
        );
        goInstead('integrations', 'connections', made.id);
      },
    );
  };
  const url = control('url');
  return (
    <Page
      title="Connect a service"
      trail={trail}
      lead="Any remote server that speaks the Model Context Protocol brings its tools along. You choose which of them an agent may use."
    >
      <form class="card connection-form" ref={form} noValidate onSubmit={(event) => void connect(event)}>
        {problem && <Problem>{problem}</Problem>}
        <Field label="Address" hint="Where the server answers over streamable HTTP." error={errors['url']}>
          <input
            type="url"
            maxLength={2_000}
            autoComplete="off"
            spellcheck={false}
            {...url}
            onInput={({ currentTarget: { value } }) => {
              const isProposed = values.name === '' || values.name === nameOf(values.url);
              change({ url: value, ...(isProposed && { name: nameOf(value) }) });
            }}
          />
        </Field>
        <Field
          label="Name"
          hint="Stands before the names of its tools: small letters, digits and -."
          error={errors['name']}
        >
          <input type="text" maxLength={24} autoComplete="off" spellcheck={false} {...control('name')} />
        </Field>
        <Field label="Who signs in" hint={signInHint} error={errors['signIn']}>
          <select {...control('signIn')}>
            <SignInWays />
          </select>
        </Field>
        {values.signIn === 'none' && (
          <Field
            label="Bearer token"
            hint="Leave it empty if the server asks for none. It is encrypted, and never shown again."
            error={errors['token']}
          >
            <input type="password" maxLength={8_000} autoComplete="off" {...control('token')} />
          </Field>
        )}
        {values.signIn !== 'none' && (
          <ClientFields
            errors={errors}
            secretHint="If you were given one. It is encrypted, and never shown again."
            control={control}
          />
        )}
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
