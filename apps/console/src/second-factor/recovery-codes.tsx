import { Code } from '../ui/code.tsx';
import { focusOnMount } from '../ui/focus-on-mount.ts';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onSaved: () => void;
}

/** Shown once. */
export function RecoveryCodes({ codes, onSaved }: RecoveryCodesProps) {
  return (
    <div class="recovery-codes">
      <h3 ref={focusOnMount} tabIndex={-1}>
        Keep these recovery codes
      </h3>
      <p>
        Each signs you in once when you do not have your phone. Keep them where you keep your passwords: they
        are not shown again.
      </p>
      <Code label="Recovery codes" text={codes.join('\n')} />
      <div class="actions">
        <button type="button" class="button primary" onClick={onSaved}>
          I have kept them
        </button>
      </div>
    </div>
  );
}
