import type { PasskeyView } from '@parley/protocol/settings/passkey';
import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { Field } from '../ui/field.tsx';
import { focusOnMount } from '../ui/focus-on-mount.ts';
import { Problem } from '../ui/notice.tsx';
import { Time } from '../ui/time.tsx';
import { useForm } from '../ui/use-form.ts';

interface PasskeyRowProps {
  readonly passkey: PasskeyView;
  readonly onRenamed: () => Promise<void>;
  readonly onRemove: () => void;
}

export function PasskeyRow({ passkey, onRenamed, onRemove }: PasskeyRowProps) {
  const [isRenamed, setRenamed] = useState(false);
  const { name, createdAt, lastUsedAt } = passkey;
  if (isRenamed)
    return (
      <li>
        <Rename
          passkey={passkey}
          onDone={async () => {
            setRenamed(false);
            await onRenamed();
          }}
          onCancel={() => setRenamed(false)}
        />
      </li>
    );
  return (
    <li>
      <div>
        <p class="row-name">{name}</p>
        <p class="meta">
          Added <Time at={createdAt} />
          {lastUsedAt === null ? (
            ' · not used yet'
          ) : (
            <>
              {' · last used '}
              <Time at={lastUsedAt} />
            </>
          )}
        </p>
      </div>
      <div class="actions">
        <button
          type="button"
          class="button small"
          aria-label={`Rename the passkey ${name}`}
          onClick={() => setRenamed(true)}
        >
          Rename
        </button>
        <button
          type="button"
          class="button small danger-quiet"
          aria-label={`Remove the passkey ${name}`}
          onClick={onRemove}
        >
          Remove
        </button>
      </div>
    </li>
  );
}

interface RenameProps {
  readonly passkey: PasskeyView;
  readonly onDone: () => Promise<void>;
  readonly onCancel: () => void;
}

function Rename({ passkey: { id, name: before }, onDone, onCancel }: RenameProps) {
  const { form, errors, problem, busy, submit, control, reset } = useForm({
    name: `passkey ${id}`,
    initial: { name: before },
  });
  const save = async (event: Event) => {
    event.preventDefault();
    await submit(
      ({ name }) => (name.trim() === '' ? { name: 'Give it a name.' } : {}),
      async (values) => {
        await call('PATCH', `/passkeys/${id}`, values);
        reset();
        await onDone();
      },
    );
  };
  return (
    <form class="inline" ref={form} noValidate onSubmit={(event) => void save(event)}>
      {problem && <Problem>{problem}</Problem>}
      <Field label="Name of the passkey" error={errors['name']}>
        <input type="text" autoComplete="off" ref={focusOnMount} {...control('name')} />
      </Field>
      <button type="submit" class="button" disabled={busy}>
        Save name
      </button>
      <button type="button" class="button" onClick={onCancel}>
        Cancel
      </button>
    </form>
  );
}
