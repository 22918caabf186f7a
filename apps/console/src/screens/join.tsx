import type { MemberView } from '@parley/protocol/settings/member';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { enter, member } from '../api/member.ts';
import { goInstead, linkTo } from '../router.ts';
import { Field } from '../ui/field.tsx';
import { passwordProblem } from '../ui/new-password.ts';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';
import { Door } from './door.tsx';

/** The first screen of a new member, and of the first one of all. */
export function Join({ token }: { readonly token: string }) {
  const { form, errors, problem, busy, submit, control, reset } = useForm({
    name: 'join',
    initial: { name: '', password: '' },
    secret: ['password'],
  });
  const send = async (event: Event) => {
    event.preventDefault();
    await submit(
      ({ name, password }) => {
        const weak = passwordProblem(password);
        return {
          ...(name.trim() === '' && { name: 'Enter the name you want to sign in with.' }),
          ...(weak && { password: weak }),
        };
      },
      async (values) => {
        try {
          await enter(await call<MemberView>('POST', '/invitations/accept', { token, ...values }));
        } catch (error) {
          if (error instanceof ApiError && error.status === 404)
            throw new ApiError(404, {
              error:
                'This link has been used or is too old. Ask for another one, or sign in if you have an account.',
            });
          throw error;
        }
        reset();
        goInstead('agents');
      },
    );
  };
  return (
    <Door title="Welcome to Parley" lead="Choose a name and a password. You sign in with them from now on.">
      {member.value && (
        <p class="notice">
          You are signed in as {member.value.name}. Whoever accepts the invitation is signed in here in your
          place. <a href={linkTo('agents')}>Stay signed in</a>
        </p>
      )}
      <form ref={form} noValidate onSubmit={(event) => void send(event)}>
        {problem && (
          <>
            <Problem>{problem}</Problem>
            <p>
              <a href="#/agents">Sign in</a>
            </p>
          </>
        )}
        <Field label="Your name" hint="An e-mail address will do." error={errors['name']}>
          <input type="text" autoComplete="username" required {...control('name')} />
        </Field>
        <Field label="Password" hint="At least 12 characters." error={errors['password']}>
          <input type="password" autoComplete="new-password" required {...control('password')} />
        </Field>
        <button type="submit" class="button primary wide" disabled={busy}>
          Continue
        </button>
      </form>
    </Door>
  );
}
