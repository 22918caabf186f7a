import { maxDelegationLine } from '@parley/protocol/bounds';
import type { ThreadView } from '@parley/protocol/settings/inbox';
import { call } from '../api/call.ts';
import { member } from '../api/member.ts';
import { announce } from '../ui/announcement.tsx';
import { Field } from '../ui/field.tsx';
import { Loading, Problem } from '../ui/notice.tsx';
import { useAll } from '../ui/use-all.ts';
import { useForm } from '../ui/use-form.ts';
import { useModal } from '../ui/use-modal.ts';

interface Approver {
  readonly id: string;
  readonly name: string;
  /** By mail, too. */
  readonly isWrittenTo: boolean;
}

interface DelegateDialogProps {
  readonly id: string;
  readonly approval: ThreadView['approvals'][number];
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

/** Of whom an approval is asked from now on, and what they are told along with it. */
export function DelegateDialog({ id, approval, onDone, onClose }: DelegateDialogProps) {
  const { requestId, delegated } = approval;
  const { items, problem: unread } = useAll<Approver>(`/conversations/${id}/approvers`);
  const { form, errors, values, problem, busy, control, reset, submit } = useForm({
    name: `delegate ${requestId}`,
    initial: { memberId: '', line: '' },
  });
  const own = member.value?.id;
  // Whoever sees that a colleague was handed it may take it back.
  const colleagues = items?.filter(
    (each) => each.id !== delegated?.to.id && (each.id !== own || delegated !== null),
  );
  const chosen = colleagues?.find((each) => each.id === values.memberId);
  const close = () => {
    reset();
    onClose();
  };
  const dialog = useModal(close);
  const hand = async (event: Event) => {
    event.preventDefault();
    const isDone = await submit(
      (): Partial<Record<'memberId' | 'line', string>> =>
        chosen ? {} : { memberId: 'Choose who should answer it.' },
      async ({ memberId, line }) => {
        await call('POST', `/conversations/${id}/approvals/delegate`, { requestId, memberId, line });
      },
    );
    if (!isDone) return;
    close();
    announce(chosen?.id === own ? 'It is asked of you.' : `Handed to ${chosen?.name ?? 'your colleague'}.`);
    await onDone();
  };
  return (
    <dialog ref={dialog} class="delegate" aria-labelledby="delegate-title">
      <h2 id="delegate-title">Hand this approval to a colleague</h2>
      {(problem ?? unread) && <Problem>{problem ?? unread}</Problem>}
      {colleagues === undefined && unread === null && <Loading />}
      <form ref={form} noValidate onSubmit={(event) => void hand(event)}>
        {colleagues?.length === 0 && <p>Nobody else may approve it.</p>}
        {colleagues !== undefined && colleagues.length > 0 && (
          <>
            <Field
              label="Hand to"
              error={errors['memberId']}
              hint={
                chosen && !chosen.isWrittenTo
                  ? 'They get no mail about it and find it in the inbox. You and others can still answer.'
                  : 'They are asked from now on. You and others can still answer.'
              }
            >
              <select {...control('memberId')}>
                <option value="">Choose a colleague</option>
                {colleagues.map((each) => (
                  <option key={each.id} value={each.id}>
                    {each.id === own ? `${each.name} (you)` : each.name}
                  </option>
                ))}
              </select>
            </Field>
            <Field label="A line for them (optional)" error={errors['line']}>
              <input
                type="text"
                dir="auto"
                autoComplete="off"
                maxLength={maxDelegationLine}
                {...control('line')}
              />
            </Field>
          </>
        )}
        <div class="actions">
          <button type="button" class="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="button primary" disabled={busy || !colleagues?.length}>
            Hand over
          </button>
        </div>
      </form>
    </dialog>
  );
}
