import { member } from '../api/member.ts';
import { Field } from '../ui/field.tsx';
import { focusOnMount } from '../ui/focus-on-mount.ts';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';
import { addPasskey } from './ceremony.ts';

interface NewPasskeyProps {
  readonly onAdded: (name: string) => Promise<void>;
  readonly onCancel: () => void;
}

/** What a new passkey is called, and once more the password. */
export function NewPasskey({ onAdded, onCancel }: NewPasskeyProps) {
  const { form, errors, problem, busy, submit, control, reset } = useForm({
    name: 'new passkey',
    initial: { name: '', password: '' },
    secret: ['password'],
  });
  const add = async (event: Event) => {
    event.preventDefault();
    await submit(
      ({ name, password }) => ({
        ...(name.trim() === '' && { name: 'Give it a name, such as “Laptop”.' }),
        ...(password === '' && { password: 'Enter the password you have now.' }),
      }),
      async (values) => {
        await addPasskey(values);
        reset();
        await onAdded(values.name);
      },
    );
  };
  return (
    <form class="narrow" ref={form} noValidate onSubmit={(event) => void add(event)}>
      {problem && <Problem>{problem}</Problem>}
      <Field label="Name of the passkey" hint="Where it is: “Laptop”, “Phone”." error={errors['name']}>
        <input type="text" autoComplete="off" ref={focusOnMount} {...control('name')} />
      </Field>
      <input type="hidden" autoComplete="username" value={member.value?.name ?? ''} />
      <Field label="Your password" error={errors['password']}>
        <input type="password" autoComplete="current-password" {...control('password')} />
      </Field>
      <div class="actions">
        <button type="button" class="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" class="button primary" disabled={busy}>
          Continue
        </button>
      </div>
    </form>
  );
}
