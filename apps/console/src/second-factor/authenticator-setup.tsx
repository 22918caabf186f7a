import type { RecoveryCodes, SecondFactorSetup } from '@parley/protocol/settings/second-factor';
import { call } from '../api/call.ts';
import { Code } from '../ui/code.tsx';
import { Field } from '../ui/field.tsx';
import { focusOnMount } from '../ui/focus-on-mount.ts';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';
import { QrCode } from './qr-code.tsx';

interface AuthenticatorSetupProps {
  readonly setup: SecondFactorSetup;
  readonly onConfirmed: (codes: readonly string[]) => void;
  readonly onCancel: () => void;
}

/** The QR code, and the first code of the app that has read it. */
export function AuthenticatorSetup({ setup, onConfirmed, onCancel }: AuthenticatorSetupProps) {
  const { form, errors, problem, busy, submit, control } = useForm({
    name: 'second factor',
    initial: { code: '' },
    secret: ['code'],
  });
  const confirm = async (event: Event) => {
    event.preventDefault();
    await submit(
      ({ code }) => (code.trim() === '' ? { code: 'Enter the six digits that the app shows.' } : {}),
      async ({ code }) => {
        const sent = { setup: setup.setup, code };
        const { recoveryCodes } = await call<RecoveryCodes>('POST', '/session/second-factor/confirm', sent);
        onConfirmed(recoveryCodes);
      },
    );
  };
  return (
    <form ref={form} noValidate onSubmit={(event) => void confirm(event)}>
      {problem && <Problem>{problem}</Problem>}
      <ol class="setup-steps">
        <li>
          <p>
            Open your authenticator app, such as 1Password, Google Authenticator or Aegis, and scan this code.
          </p>
          <QrCode label="QR code for your authenticator app" text={setup.address} />
          <details>
            <summary>Or enter it by hand</summary>
            <Code label="Key for your authenticator app" text={setup.secret} />
          </details>
        </li>
        <li>
          <Field
            label="Code that the app shows"
            hint="Six digits, new every half minute."
            error={errors['code']}
          >
            <input
              class="one-time-code"
              type="text"
              inputMode="numeric"
              autoComplete="one-time-code"
              ref={focusOnMount}
              {...control('code')}
            />
          </Field>
        </li>
      </ol>
      <div class="actions">
        <button type="button" class="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" class="button primary" disabled={busy}>
          Turn on
        </button>
      </div>
    </form>
  );
}
