import type { ThreadView } from '@parley/protocol/settings/inbox';
import { useEffect, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call, revalidation } from '../api/call.ts';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';
import { useModal } from '../ui/use-modal.ts';

interface HandBackDialogProps {
  readonly id: string;
  /** Whoever answered when it was opened does not any more. */
  readonly isOvertaken: boolean;
  readonly onDone: () => void;
  readonly onOvertaken: () => void;
  /** It was refused: the conversation may have gone on. */
  readonly onFailure: () => void;
  readonly onClose: () => void;
}

/** What the agent is told of the time between: proposed from what was written, and the member's to change. */
export function HandBackDialog({
  id,
  isOvertaken,
  onDone,
  onOvertaken,
  onFailure,
  onClose,
}: HandBackDialogProps) {
  const [proposed, setProposed] = useState<string | null>(null);
  const [unread, setUnread] = useState<string | null>(null);
  const form = useForm({ name: `hand back ${id}`, initial: { summary: proposed ?? '' } });
  // Also when somebody is back whose session had ended, or the service is.
  const round = revalidation.value;
  useEffect(() => {
    if (round === null) return;
    setUnread(null);
    call<ThreadView>('GET', `/conversations/${id}/thread`).then(
      ({ summary }) => setProposed(summary ?? ''),
      (error: unknown) => setUnread(sentenceOf(error)),
    );
  }, [id, round]);
  // What was typed is of this time: at the next one another summary is proposed.
  const close = () => {
    form.reset();
    onClose();
  };
  const dialog = useModal(close);
  // While it is sent, whoever does so may be the one who was faster.
  const isOver = isOvertaken && !form.busy;
  useEffect(() => {
    if (!isOver) return;
    close();
    onOvertaken();
    // Of the latest functions, with this alone.
  }, [isOver]);
  const handBack = (event: Event) => {
    event.preventDefault();
    void form.submit(
      () => ({}),
      async ({ summary }) => {
        const told = summary.trim();
        try {
          await call('POST', `/conversations/${id}/hand-back`, { summary: told === '' ? null : told });
        } catch (error) {
          onFailure();
          throw error;
        }
        close();
        onDone();
      },
    );
  };
  const problem = unread ?? form.problem;
  return (
    <dialog ref={dialog} class="wide hand-back" aria-labelledby="hand-back-title">
      <h2 id="hand-back-title">Hand back to the agent?</h2>
      {problem && <Problem>{problem}</Problem>}
      <form ref={form.form} onSubmit={handBack}>
        <Field
          label="What the agent should know"
          error={form.errors['summary']}
          hint="It reads this instead of your messages. The visitor does not see it."
        >
          <textarea rows={8} maxLength={8_000} readOnly={proposed === null} {...form.control('summary')} />
        </Field>
        <div class="actions">
          <button type="button" class="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="button primary" disabled={form.busy || proposed === null}>
            Hand back
          </button>
        </div>
      </form>
    </dialog>
  );
}
