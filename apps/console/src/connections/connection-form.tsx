import type { McpView } from '@parley/protocol/settings/mcp-connection';
import { call } from '../api/call.ts';
import { announce } from '../ui/announcement.tsx';
import { Field } from '../ui/field.tsx';
import { SavedForm } from '../ui/saved-form.tsx';
import { useForm } from '../ui/use-form.ts';
import { SignInWays } from './sign-in-ways.tsx';
import { ClientFields } from './client-fields.tsx';
import { CallLimit, callLimitProblem } from './call-limit.tsx';
import { connectTimeoutMs } from './connect-timeout-ms.ts';

interface ConnectionFormProps {
  readonly connection: McpView;
  readonly onSaved: (connection: McpView) => void;
}

/** Where a connection leads, what it is called, and how much it is used. */
export function ConnectionForm({ connection, onSaved }: ConnectionFormProps) {
  const { id, url, name, callsPerMinute, token, signIn } = connection;
  const { clientId = '', clientIssuer = '', clientSecret } = connection;
  const form = useForm({
    name: `connection ${id}`,
    initial: {
      url,
      name,
      signIn,
      token: '',
      clientId,
      clientIssuer,
      clientSecret: '',
      callsPerMinute: String(callsPerMinute),
    },
    secret: ['token', 'clientSecret'],
  });
  const { entries, errors, control } = form;
  const save = () =>
    form.submit(
      ({ callsPerMinute: calls }) => callLimitProblem(calls),
      async (values) => {
        const body = {
          ...(entries.url !== undefined && { url: values.url.trim() }),
          ...(entries.name !== undefined && { name: values.name }),
          ...(entries.signIn !== undefined && { signIn: values.signIn }),
          ...(values.signIn === 'none' && values.token !== '' && { token: values.token.trim() }),
          ...(values.signIn !== 'none' && {
            ...(entries.clientId !== undefined && { clientId: values.clientId.trim() || null }),
            ...(entries.clientIssuer !== undefined && { clientIssuer: values.clientIssuer.trim() || null }),
            ...(values.clientSecret !== '' && { clientSecret: values.clientSecret.trim() }),
          }),
          ...(entries.callsPerMinute !== undefined && { callsPerMinute: Number(values.callsPerMinute) }),
        };
        const saved = await call<McpView>(
          'PATCH',
          `/connections/${id}`,
          body,
          AbortSignal.timeout(connectTimeoutMs),
        );
        form.reset();
        onSaved(saved);
        announce('Saved.');
      },
    );
  return (
    <section>
      <h2 class="section">Connection</h2>
      <SavedForm class="connection-form" form={form} onSave={save}>
        <Field
          label="Address"
          hint={
            signIn === 'none'
              ? 'At another host the token has to be entered again, and what changed approved again.'
              : 'At another address somebody has to sign in again.'
          }
          error={errors['url']}
        >
          <input type="url" maxLength={2_000} autoComplete="off" spellcheck={false} {...control('url')} />
        </Field>
        <Field label="Name" hint="Another name gives its tools other names." error={errors['name']}>
          <input type="text" maxLength={24} autoComplete="off" spellcheck={false} {...control('name')} />
        </Field>
        <Field
          label="Who signs in"
          hint="Another way ends what was signed in so far."
          error={errors['signIn']}
        >
          <select {...control('signIn')}>
            <SignInWays />
          </select>
        </Field>
        {form.values.signIn === 'none' && (
          <Field
            label="Bearer token"
            hint={
              token
                ? `One is set${token.last4 && `, ending in ${token.last4}`}. Enter another to replace it.`
                : 'None is set.'
            }
            error={errors['token']}
          >
            <input type="password" maxLength={8_000} autoComplete="off" {...control('token')} />
          </Field>
        )}
        {form.values.signIn !== 'none' && (
          <ClientFields
            errors={errors}
            secretHint={
              clientSecret
                ? `One is set${clientSecret.last4 && `, ending in ${clientSecret.last4}`}. Enter another to replace it; that ends what was signed in.`
                : 'None is set.'
            }
            control={control}
          />
        )}
        <CallLimit error={errors['callsPerMinute']} control={control('callsPerMinute')} />
      </SavedForm>
    </section>
  );
}
