import type { ComponentChildren } from 'preact';
import { isAtLeast } from '../api/member.ts';
import { Problem } from './notice.tsx';
import type { useForm } from './use-form.ts';

interface SavedFormProps {
  readonly class: string;
  readonly form: Pick<
    ReturnType<typeof useForm<Record<string, string>>>,
    'form' | 'problem' | 'busy' | 'entries' | 'reset'
  >;
  readonly onSave: () => Promise<unknown>;
  readonly children: ComponentChildren;
}

/** A card with what is stored, which admins change. */
export function SavedForm({ class: name, form, onSave, children }: SavedFormProps) {
  const isChanged = Object.keys(form.entries).length > 0;
  const submit = (event: Event) => {
    event.preventDefault();
    void onSave();
  };
  return (
    <form class={`card ${name}`} ref={form.form} noValidate onSubmit={submit}>
      {form.problem && <Problem>{form.problem}</Problem>}
      {children}
      {isAtLeast('admin') && (
        <div class="actions">
          <button type="button" class="button" disabled={!isChanged} onClick={form.reset}>
            Discard
          </button>
          <button type="submit" class="button primary" disabled={form.busy || !isChanged}>
            Save
          </button>
        </div>
      )}
    </form>
  );
}
