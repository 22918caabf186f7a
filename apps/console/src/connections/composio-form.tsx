import type { ComposioView } from '@parley/protocol/settings/composio-connection';
import { call } from '../api/call.ts';
import { announce } from '../ui/announcement.tsx';
import { SavedForm } from '../ui/saved-form.tsx';
import { useForm } from '../ui/use-form.ts';
import { ComposioFields } from './composio-fields.tsx';
import { CallLimit, callLimitProblem } from './call-limit.tsx';
import { connectTimeoutMs } from './connect-timeout-ms.ts';

interface ComposioFormProps {
  readonly connection: ComposioView;
  readonly onSaved: (connection: ComposioView) => void;
}

/** Which toolkit a connection brings, by whose account, and how much it is used. */
export function ComposioForm({ connection, onSaved }: ComposioFormProps) {
  const { id, url, toolkit, name, signIn, authConfigId, apiKey, callsPerMinute } = connection;
  const form = useForm({
    name: `connection ${id}`,
    initial: {
      url,
      toolkit,
      name,
      signIn: String(signIn),
      authConfigId,
      apiKey: '',
      callsPerMinute: String(callsPerMinute),
    },
    secret: ['apiKey'],
  });
  const { entries, values, errors, control } = form;
  const save = () =>
    form.submit(
      ({ callsPerMinute: calls }) => callLimitProblem(calls),
      async ({ apiKey: key, callsPerMinute: calls }) => {
        const { callsPerMinute: changed, apiKey: _key, ...others } = entries;
        const body = {
          ...others,
          ...(key !== '' && { apiKey: key.trim() }),
          ...(changed !== undefined && { callsPerMinute: Number(calls) }),
        };
        const saved = await call<ComposioView>(
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
        <ComposioFields
          errors={errors}
          signIn={values.signIn}
          keyHint={
            apiKey
              ? `One is set${apiKey.last4 && `, ending in ${apiKey.last4}`}. Enter another to replace it.`
              : 'None is set. At another host it has to be entered again.'
          }
          control={control}
        />
        <CallLimit error={errors['callsPerMinute']} control={control('callsPerMinute')} />
      </SavedForm>
    </section>
  );
}
