import type { ThreadView } from '@parley/protocol/settings/inbox';
import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { leaveField } from '../inbox/leave-field.ts';
import { announce } from '../ui/announcement.tsx';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';
import { argumentsOf, entriesOf, entryProblems } from './argument-entries.ts';

interface AmendFormProps {
  readonly id: string;
  readonly approval: ThreadView['approvals'][number];
  readonly onDone: () => Promise<void>;
  readonly onCancel: () => void;
}

/** Every argument of a call that waits for an approval, to be changed before somebody gives it. */
export function AmendForm({ id, approval: { requestId, input }, onDone, onCancel }: AmendFormProps) {
  const { form, errors, problem, busy, control, reset, submit } = useForm({
    name: `amend ${requestId}`,
    initial: entriesOf(input),
  });
  // By the first ones: a field that became another one would lose whoever types in it.
  const [first] = useState(() => entriesOf(input));
  const save = async (event: Event) => {
    event.preventDefault();
    const isDone = await submit(
      (entries) => entryProblems(input, entries),
      async (entries) => {
        const amendment = { requestId, input: argumentsOf(input, entries) };
        await call('POST', `/conversations/${id}/approvals/amend`, amendment);
      },
    );
    if (!isDone) return;
    reset();
    const { activeElement } = document;
    // The form goes with what it has changed, and the keys of the room are heard again.
    if (activeElement instanceof HTMLElement && form.current?.contains(activeElement))
      leaveField(activeElement);
    announce('Changed. Nothing is done before somebody approves it.');
    await onDone();
  };
  return (
    <form ref={form} class="amend" noValidate onSubmit={(event) => void save(event)}>
      {(problem ?? errors['input']) && <Problem>{problem ?? errors['input']}</Problem>}
      {Object.entries(input).map(([name, value]) => {
        const entry = first[name] ?? '';
        const isLong = entry.length > 60 || entry.includes('\n');
        const hint = typeof value === 'string' ? undefined : kindOf(value);
        return (
          <Field key={name} label={name} hint={hint} error={errors[name]}>
            {isLong ? (
              <textarea rows={4} dir="auto" {...control(name)} />
            ) : (
              <input type="text" dir="auto" autoComplete="off" {...control(name)} />
            )}
          </Field>
        );
      })}
      <div class="actions">
        <button
          type="button"
          class="button"
          onClick={() => {
            reset();
            onCancel();
          }}
        >
          Leave as it was
        </button>
        <button type="submit" class="button primary" disabled={busy}>
          Save the change
        </button>
      </div>
    </form>
  );
}

function kindOf(value: unknown): string {
  if (typeof value === 'number') return 'A number.';
  return typeof value === 'boolean' ? 'true or false.' : 'As JSON.';
}
