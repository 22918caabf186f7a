import type { ConsoleSessionView } from '@parley/protocol/settings/member';
import { useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call, deleteIfThere } from '../api/call.ts';
import { leave, member } from '../api/member.ts';
import { announce } from '../ui/announcement.tsx';
import { confirm } from '../ui/confirm.tsx';
import { Field } from '../ui/field.tsx';
import { passwordProblem } from '../ui/new-password.ts';
import { Loading, Problem } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { lazy } from '../ui/lazy.tsx';
import { useForm } from '../ui/use-form.ts';
import { usePages } from '../ui/use-pages.ts';

const OwnPicture = lazy(async () => (await import('./own-picture.tsx')).OwnPicture);
const Passkeys = lazy(async () => (await import('../passkeys/passkeys.tsx')).Passkeys);
const SecondFactor = lazy(async () => (await import('../second-factor/second-factor.tsx')).SecondFactor);

export function Account() {
  const sessions = usePages<ConsoleSessionView>('/sessions');
  const [problem, setProblem] = useState<string | null>(null);
  const signOut = () => leave().catch((error: unknown) => setProblem(sentenceOf(error)));
  return (
    <Page
      title="Your account"
      trail={[{ name: 'Settings' }]}
      lead={`You are signed in as ${member.value?.name ?? ''}.`}
      action={
        <button type="button" class="button" onClick={() => void signOut()}>
          Sign out
        </button>
      }
    >
      {problem && <Problem>{problem}</Problem>}
      <OwnPicture />
      <Sessions sessions={sessions} />
      <Passkeys onOthersEnded={sessions.reload} />
      <SecondFactor onOthersEnded={sessions.reload} />
      <Password onOthersEnded={sessions.reload} />
    </Page>
  );
}

interface SessionsProps {
  readonly sessions: ReturnType<typeof usePages<ConsoleSessionView>>;
}

function Sessions({ sessions }: SessionsProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const end = async ({ id }: ConsoleSessionView) => {
    const text = 'Whoever uses the console there has to sign in again.';
    if (!(await confirm({ title: 'End this session?', text, action: 'End session' }))) return;
    try {
      await deleteIfThere(`/sessions/${id}`);
      setProblem(null);
      await sessions.reload();
      announce('The session was ended.');
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  return (
    <section>
      <h2 class="section">Where you are signed in</h2>
      {(problem ?? sessions.problem) && <Problem>{problem ?? sessions.problem}</Problem>}
      {sessions.items === null ? (
        <Loading />
      ) : (
        <ul class="rows card">
          {sessions.items.map((session) => (
            <li key={session.id}>
              <div>
                <p class="row-name">
                  Since <Time at={session.createdAt} />
                </p>
                <p class="meta">
                  Last used <Time at={session.lastUsedAt} />
                </p>
              </div>
              {session.current ? (
                <span class="badge live">This one</span>
              ) : (
                <button type="button" class="button small" onClick={() => void end(session)}>
                  End session
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface PasswordProps {
  readonly onOthersEnded: () => Promise<void>;
}

function Password({ onOthersEnded }: PasswordProps) {
  const { form, errors, problem, busy, submit, control, reset } = useForm({
    name: 'password',
    initial: { password: '', newPassword: '' },
    secret: ['password', 'newPassword'],
  });
  const change = async (event: Event) => {
    event.preventDefault();
    await submit(
      ({ password, newPassword }) => {
        const weak = passwordProblem(newPassword);
        return {
          ...(password === '' && { password: 'Enter the password you have now.' }),
          ...(weak && { newPassword: weak }),
        };
      },
      async (values) => {
        await call('POST', '/session/password', values);
        reset();
        await onOthersEnded();
        announce('The password was changed, and every other session ended.');
      },
    );
  };
  return (
    <section class="card">
      <h2>Password</h2>
      <form class="narrow" ref={form} noValidate onSubmit={(event) => void change(event)}>
        {problem && <Problem>{problem}</Problem>}
        <input type="hidden" autoComplete="username" value={member.value?.name ?? ''} />
        <Field label="Password now" error={errors['password']}>
          <input type="password" autoComplete="current-password" {...control('password')} />
        </Field>
        <Field
          label="New password"
          hint="At least 12 characters. Your other sessions end with the old one."
          error={errors['newPassword']}
        >
          <input type="password" autoComplete="new-password" {...control('newPassword')} />
        </Field>
        <button type="submit" class="button" disabled={busy}>
          Change password
        </button>
      </form>
    </section>
  );
}
