import type { ComponentChildren } from 'preact';
import { member } from '../api/member.ts';
import { Field } from '../ui/field.tsx';
import { focusOnMount } from '../ui/focus-on-mount.ts';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';

interface ConfirmPasswordProps {
  /** What the password is asked for, under which nothing is kept. */
  readonly name: string;
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly children: ComponentChildren;
  readonly onConfirmed: (password: string) => Promise<void>;
  readonly onCancel: () => void;
}

/** Asks once more for the password, before what would let somebody else in at a screen that was left open. */
export function ConfirmPassword({
  name,
  action,
  isDangerous = false,
  children,
  onConfirmed,
  onCancel,
}: ConfirmPasswordProps) {
  const { form, errors, problem, busy, submit, control } = useForm({
    name,
    initial: { password: '' },
    secret: ['password'],
  });
  const send = async (event: Event) => {
    event.preventDefault();
    await submit(
      ({ password }) => (password === '' ? { password: 'Enter the password you have now.' } : {}),
      ({ password }) => onConfirmed(password),
    );
  };
  return (
    <form class="narrow" ref={form} noValidate onSubmit={(event) => void send(event)}>
      {children}
      {problem && <Problem>{problem}</Problem>}
      <input type="hidden" autoComplete="username" value={member.value?.name ?? ''} />
      <Field label="Your password" error={errors['password']}>
        <input type="password" autoComplete="current-password" ref={focusOnMount} {...control('password')} />
      </Field>
      <div class="actions">
        <button type="button" class="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" class={`button ${isDangerous ? 'danger' : 'primary'}`} disabled={busy}>
          {action}
        </button>
      </div>
    </form>
  );
}
