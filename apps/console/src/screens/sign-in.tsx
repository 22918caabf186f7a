import type { MemberView } from '@parley/protocol/settings/member';
import { useState } from 'preact/hooks';
import { ApiError } from '../api/api-error.ts';
import { call, sessionEnded } from '../api/call.ts';
import { enter } from '../api/member.ts';
import { Field } from '../ui/field.tsx';
import { focusOnMount } from '../ui/focus-on-mount.ts';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';
import { Door } from './door.tsx';

export function SignIn() {
  // Whether the password was right, and a code is asked for as well.
  const [asksCode, setAsksCode] = useState(false);
  const [isBack, setBack] = useState(false);
  const { form, errors, problem, busy, set, submit, control } = useForm({
    name: 'sign in',
    initial: { name: '', password: '', code: '' },
    secret: ['password', 'code'],
  });
  const withPasskey = () =>
    submit(
      () => ({}),
      async () => enter(await (await import('../passkeys/ceremony.ts')).signInWithPasskey()),
    );
  const back = () => {
    set('code', '');
    setAsksCode(false);
    setBack(true);
  };
  const send = async (event: Event) => {
    event.preventDefault();
    await submit(
      ({ name, password, code }) => ({
        ...(name.trim() === '' && { name: 'Enter the name you chose.' }),
        ...(password === '' && { password: 'Enter your password.' }),
        ...(asksCode && code.trim() === '' && { code: 'Enter the code.' }),
      }),
      async ({ code, ...values }) => {
        try {
          await enter(await call<MemberView>('POST', '/session', { ...values, ...(asksCode && { code }) }));
        } catch (error) {
          if (!(error instanceof ApiError) || error.code !== 'SECOND_FACTOR_REQUIRED') throw error;
          setAsksCode(true);
        }
      },
    );
  };
  return (
    <Door
      title="Sign in"
      lead={
        asksCode
          ? 'Your password is right. One more thing:'
          : sessionEnded.value
            ? 'Your session has ended. Sign in again: what you had entered is kept.'
            : 'To the console of your agents.'
      }
    >
      <form ref={form} noValidate onSubmit={(event) => void send(event)}>
        {problem && <Problem>{problem}</Problem>}
        {asksCode ? (
          <Field
            label="Code"
            hint="The six digits that your authenticator app shows, or one of your recovery codes."
            error={errors['code']}
          >
            <input
              type="text"
              autoComplete="one-time-code"
              required
              ref={focusOnMount}
              {...control('code')}
            />
          </Field>
        ) : (
          <>
            <Field label="Name" error={errors['name']}>
              <input
                type="text"
                autoComplete="username"
                required
                ref={isBack ? focusOnMount : null}
                {...control('name')}
              />
            </Field>
            <Field label="Password" error={errors['password']}>
              <input type="password" autoComplete="current-password" required {...control('password')} />
            </Field>
          </>
        )}
        <button type="submit" class="button primary wide" disabled={busy}>
          Sign in
        </button>
        {asksCode ? (
          <button type="button" class="button wide" onClick={back}>
            Back
          </button>
        ) : (
          'PublicKeyCredential' in globalThis && (
            <button type="button" class="button wide" disabled={busy} onClick={() => void withPasskey()}>
              Sign in with a passkey
            </button>
          )
        )}
      </form>
      <p class="hint">
        {asksCode
          ? 'Neither at hand? An owner of the service can reset it for you.'
          : 'No account yet? An owner of the service can invite you by a link.'}
      </p>
    </Door>
  );
}
