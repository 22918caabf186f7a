import type { InvitationOffer, MemberView } from '@parley/protocol/settings/member';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/api-error.ts';
import { call, callUnasked } from '../api/call.ts';
import { enter, member } from '../api/member.ts';
import { goInstead, linkTo } from '../router.ts';
import { Field } from '../ui/field.tsx';
import { passwordProblem } from '../ui/new-password.ts';
import { Loading, Problem } from '../ui/notice.tsx';
import { roleNames } from '../ui/role-name.ts';
import { useForm } from '../ui/use-form.ts';
import { Door } from './door.tsx';

/** What is known of an invitation; `unread`: its link may be good or not. */
type Offer = InvitationOffer | 'loading' | 'unread' | 'over';

/** As the service says it: a proxy in front of one that starts may answer 404, too. */
const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'NOT_FOUND';

/** The first screen of a new member, and of the first one of all. */
export function Join({ token }: { readonly token: string }) {
  const [offer, setOffer] = useState<Offer>('loading');
  useEffect(() => {
    callUnasked<InvitationOffer>('POST', '/invitations/read', { token })
      .then(setOffer)
      // Whether it is good is said once it is accepted.
      .catch((error: unknown) => setOffer(isGone(error) ? 'over' : 'unread'));
  }, [token]);
  if (offer === 'over') return <Over />;
  const as = typeof offer === 'string' ? '' : `, as ${roleNames[offer.role]} of ${placeOf(offer)}`;
  return (
    <Door
      title="Welcome to Parley"
      lead={`Choose a name and a password. You sign in with them from now on${as}.`}
    >
      {offer === 'loading' ? <Loading /> : <JoinForm token={token} onOver={() => setOffer('over')} />}
    </Door>
  );
}

const placeOf = ({ organisation }: InvitationOffer): string => organisation ?? 'every organisation';

function Over() {
  return (
    <Door
      title="This link is over"
      lead="It has been used, was taken back or is too old. Ask for another one, or sign in if you have an account."
    >
      <p>
        <a href={linkTo('agents')}>{member.value ? `Stay signed in as ${member.value.name}` : 'Sign in'}</a>
      </p>
    </Door>
  );
}

interface JoinFormProps {
  readonly token: string;
  readonly onOver: () => void;
}

function JoinForm({ token, onOver }: JoinFormProps) {
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
          if (!isGone(error)) throw error;
          return onOver();
        }
        reset();
        goInstead('agents');
      },
    );
  };
  return (
    <>
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
              <a href={linkTo('agents')}>Sign in</a>
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
    </>
  );
}
