import type { MemberView } from '@parley/protocol/settings/member';
import { call, sessionEnded } from '../api/call.ts';
import { enter } from '../api/member.ts';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';
import { Door } from './door.tsx';

export function SignIn() {
  const { form, errors, problem, busy, submit, control } = useForm({
    name: 'sign in',
    initial: { name: '', password: '' },
    secret: ['password'],
  });
  const send = async (event: Event) => {
    event.preventDefault();
    await submit(
      ({ name, password }) => ({
        ...(name.trim() === '' && { name: 'Enter the name you chose.' }),
        ...(password === '' && { password: 'Enter your password.' }),
      }),
      async (values) => enter(await call<MemberView>('POST', '/session', values)),
    );
  };
  return (
    <Door
      title="Sign in"
      lead={
        sessionEnded.value
          ? 'Your session has ended. Sign in again: what you had entered is kept.'
          : 'To the console of your agents.'
      }
    >
      <form ref={form} noValidate onSubmit={(event) => void send(event)}>
        {problem && <Problem>{problem}</Problem>}
        <Field label="Name" error={errors['name']}>
          <input type="text" autoComplete="username" required {...control('name')} />
        </Field>
        <Field label="Password" error={errors['password']}>
          <input type="password" autoComplete="current-password" required {...control('password')} />
        </Field>
        <button type="submit" class="button primary wide" disabled={busy}>
          Sign in
        </button>
      </form>
      <p class="hint">No account yet? An owner of the service can invite you by a link.</p>
    </Door>
  );
}
