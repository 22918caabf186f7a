import type { Pipeline } from '@parley/protocol/settings/pipeline';
import { tenant } from '../api/member.ts';
import { announce } from '../ui/announcement.tsx';
import { confirm } from '../ui/confirm.tsx';
import { Field } from '../ui/field.tsx';
import { SavedForm } from '../ui/saved-form.tsx';
import { useForm } from '../ui/use-form.ts';

interface RetentionFormProps {
  readonly retentionDays: number | undefined;
  /** What is stored by now: others may have changed it since it was shown. */
  readonly stored: () => Promise<number | undefined>;
  readonly save: (change: Pick<Pipeline, 'retentionDays'>) => Promise<unknown>;
}

/** For how long contacts are kept with whom nobody speaks. */
export function RetentionForm({ retentionDays, stored, save }: RetentionFormProps) {
  const form = useForm({
    name: `contact retention of ${tenant.value?.id}`,
    initial: { retentionDays: retentionDays === undefined ? '' : String(retentionDays) },
  });
  const submit = () =>
    form.submit(
      ({ retentionDays: days }) =>
        days.trim() === '' || (/^[1-9]\d{0,3}$/.test(days.trim()) && Number(days) <= 3_650)
          ? {}
          : { retentionDays: 'Enter a number from 1 to 3650, or nothing.' },
      async ({ retentionDays: days }) => {
        const wanted = days.trim() === '' ? undefined : Number(days);
        const isShorter = wanted !== undefined && wanted < ((await stored()) ?? Infinity);
        const text = `Contacts with whom nobody has spoken for ${wanted} ${wanted === 1 ? 'day' : 'days'} are erased within the hour, with all of their conversations. Nothing brings them back.`;
        if (isShorter && !(await confirm({ title: 'Erase such contacts?', text, action: 'Erase them' })))
          return;
        await save({ retentionDays: wanted });
        form.reset();
        announce('Saved.');
      },
    );
  return (
    <SavedForm class="contact-retention" form={form} onSave={submit}>
      <h2>Retention</h2>
      <Field
        label="Days without a message"
        hint="Then a contact is erased, with every conversation and all else that is theirs. Empty: contacts stay until somebody erases them."
        error={form.errors['retentionDays']}
      >
        <input
          type="text"
          inputMode="numeric"
          maxLength={4}
          autoComplete="off"
          {...form.control('retentionDays')}
        />
      </Field>
    </SavedForm>
  );
}
