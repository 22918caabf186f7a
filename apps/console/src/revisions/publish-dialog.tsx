import type { DraftView } from '@parley/protocol/settings/revision';
import { sentenceOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { announce } from '../ui/announcement.tsx';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';
import { useModal } from '../ui/use-modal.ts';
import { changeCount } from './change-count.ts';
import { ChangeList } from './change-list.tsx';
import { fieldNames } from './field-name.ts';
import { orReload } from './or-reload.ts';

interface PublishDialogProps {
  readonly draft: DraftView;
  readonly onChanged: () => Promise<void>;
  readonly onClose: () => void;
}

/** What visitors are about to get, and why. */
export function PublishDialog({ draft, onChanged, onClose }: PublishDialogProps) {
  const { agentId, base, live, changes, conflicts, changedAt } = draft;
  const dialog = useModal(onClose);
  const form = useForm({ name: `publish ${agentId}`, initial: { note: '' } });
  const publish = async (event: Event) => {
    event.preventDefault();
    await form.submit(
      () => ({}),
      async ({ note }) => {
        const why = note.trim();
        const body = {
          ...(why !== '' && { note: why }),
          // What is in conflict stands here, so it was seen.
          ...(conflicts.length > 0 && { live }),
          changedAt,
        };
        try {
          const asked = call<DraftView>('POST', `/agents/${agentId}/publish`, body);
          const after = await orReload(asked, onChanged);
          form.reset();
          onClose();
          announce(`Published: visitors have revision ${after.live} now.`);
          await onChanged();
        } catch (error) {
          if (dialog.current !== null) throw error;
          // Without a draft there is no dialog any more that says it.
          onClose();
          announce(sentenceOf(error));
        }
      },
    );
  };
  return (
    <dialog ref={dialog} class="wide" aria-labelledby="publish-title">
      <h2 id="publish-title">Publish {changeCount(changes.length)}?</h2>
      {form.problem && <Problem>{form.problem}</Problem>}
      {conflicts.length > 0 && (
        <p class="notice">
          {fieldNames(conflicts)}: changed live since this draft began at revision {base}. Publishing puts
          what the draft says in its place. What is live now stays in the history as revision {live}.
        </p>
      )}
      <ChangeList changes={changes} before="Live" after="Draft" />
      <form ref={form.form} noValidate onSubmit={(event) => void publish(event)}>
        <Field
          label="Note"
          hint="Why, for whoever reads the history. It may stay empty."
          error={form.errors['note']}
        >
          <input type="text" maxLength={500} autoComplete="off" {...form.control('note')} />
        </Field>
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button primary" disabled={form.busy}>
            {conflicts.length > 0 ? 'Publish over it' : 'Publish'}
          </button>
        </div>
      </form>
    </dialog>
  );
}
