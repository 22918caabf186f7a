import type {
  RecoveryCodes as Codes,
  SecondFactorSetup,
  SecondFactorView,
} from '@parley/protocol/settings/second-factor';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call, revalidation } from '../api/call.ts';
import { announce } from '../ui/announcement.tsx';
import { Loading, Problem } from '../ui/notice.tsx';
import { Time } from '../ui/time.tsx';
import { AuthenticatorSetup } from './authenticator-setup.tsx';
import { ConfirmPassword } from './confirm-password.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/** What the member is in the middle of. */
type Doing =
  | { readonly kind: 'nothing' | 'start' | 'renew' | 'remove' }
  | { readonly kind: 'set up'; readonly setup: SecondFactorSetup }
  | { readonly kind: 'read codes'; readonly codes: readonly string[] };

const path = '/session/second-factor';

/** The authenticator app that signing in asks for beside the password. */
export function SecondFactor({ onOthersEnded }: { readonly onOthersEnded: () => Promise<void> }) {
  const [factor, setFactor] = useState<SecondFactorView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [doing, setDoing] = useState<Doing>({ kind: 'nothing' });
  const load = useCallback(async () => {
    try {
      setFactor(await call<SecondFactorView>('GET', path));
      setProblem(null);
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  }, []);
  // Also when somebody is back whose session had ended, or the service is.
  const round = revalidation.value;
  useEffect(() => {
    if (round !== null) void load();
  }, [load, round]);
  const stop = () => setDoing({ kind: 'nothing' });
  const loadAll = async () => {
    await Promise.all([load(), onOthersEnded()]);
  };
  const done = async (said: string) => {
    await loadAll();
    stop();
    announce(said);
  };
  const isOn = factor?.since != null;
  return (
    <section class="card">
      <div class="card-header">
        <h2>Two-factor authentication</h2>
        {factor && <span class={`badge ${isOn ? 'live' : ''}`}>{isOn ? 'On' : 'Off'}</span>}
      </div>
      {problem && <Problem>{problem}</Problem>}
      {factor === null ? (
        problem === null && <Loading />
      ) : (
        <Step factor={factor} doing={doing} setDoing={setDoing} stop={stop} reload={loadAll} done={done} />
      )}
    </section>
  );
}

interface StepProps {
  readonly factor: SecondFactorView;
  readonly doing: Doing;
  readonly setDoing: (doing: Doing) => void;
  readonly stop: () => void;
  readonly reload: () => Promise<void>;
  readonly done: (said: string) => Promise<void>;
}

function Step({ factor, doing, setDoing, stop, reload, done }: StepProps) {
  switch (doing.kind) {
    case 'start':
      return (
        <ConfirmPassword
          name="start second factor"
          action="Continue"
          onCancel={stop}
          onConfirmed={async (password) =>
            setDoing({ kind: 'set up', setup: await call<SecondFactorSetup>('POST', path, { password }) })
          }
        >
          <p>First your password, so that nobody else sets this up at your screen.</p>
        </ConfirmPassword>
      );
    case 'set up':
      return (
        <AuthenticatorSetup
          setup={doing.setup}
          onCancel={stop}
          onConfirmed={(codes) => {
            setDoing({ kind: 'read codes', codes });
            void reload();
          }}
        />
      );
    case 'read codes':
      return (
        <RecoveryCodes codes={doing.codes} onSaved={() => void done('Two-factor authentication is on.')} />
      );
    case 'renew':
      return (
        <ConfirmPassword
          name="renew recovery codes"
          action="Make new codes"
          onCancel={stop}
          onConfirmed={async (password) => {
            const { recoveryCodes } = await call<Codes>('POST', `${path}/recovery-codes`, { password });
            setDoing({ kind: 'read codes', codes: recoveryCodes });
          }}
        >
          <p>The codes that you have now do not work any more then.</p>
        </ConfirmPassword>
      );
    case 'remove':
      return (
        <ConfirmPassword
          name="remove second factor"
          action="Turn off"
          isDangerous
          onCancel={stop}
          onConfirmed={async (password) => {
            await call('POST', `${path}/remove`, { password });
            await done('Two-factor authentication is off, and every other session ended.');
          }}
        >
          <p>Your password alone signs you in then. Your other sessions end.</p>
        </ConfirmPassword>
      );
    case 'nothing':
      return <Overview factor={factor} begin={(kind) => setDoing({ kind })} />;
  }
}

interface OverviewProps {
  readonly factor: SecondFactorView;
  readonly begin: (kind: 'start' | 'renew' | 'remove') => void;
}

function Overview({ factor: { since, recoveryCodes }, begin }: OverviewProps) {
  if (since === null)
    return (
      <>
        <p class="lead">
          Signing in then also asks for a code from an app on your phone, so that a stolen password opens
          nothing.
        </p>
        <div class="actions">
          <button type="button" class="button" onClick={() => begin('start')}>
            Set up an authenticator app
          </button>
        </div>
      </>
    );
  return (
    <>
      <p class="lead">
        Signing in asks for a code of your authenticator app, since <Time at={since} />.
      </p>
      {recoveryCodes < 3 && (
        <p class="notice">{codesLeft(recoveryCodes)} Make new ones while you are signed in.</p>
      )}
      <div class="actions">
        <button type="button" class="button" onClick={() => begin('renew')}>
          New recovery codes
        </button>
        <button type="button" class="button danger-quiet" onClick={() => begin('remove')}>
          Turn off
        </button>
      </div>
      {recoveryCodes >= 3 && <p class="meta">{codesLeft(recoveryCodes)}</p>}
    </>
  );
}

function codesLeft(count: number): string {
  if (count === 0) return 'No recovery code is left.';
  return count === 1 ? 'One recovery code is left.' : `${count} recovery codes are left.`;
}
