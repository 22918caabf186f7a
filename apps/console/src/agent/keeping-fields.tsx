import { Field } from '../ui/field.tsx';
import type { ConductProps } from './conduct-form.ts';

/** How long conversations are kept. */
export const KeepingFields = ({ form: { control, errors } }: ConductProps) => (
  <fieldset class="card">
    <legend>What is kept</legend>
    <Field
      label="Days after the last message"
      hint="Then a conversation is erased, with its files and all that tools were given and answered. Visitors can erase theirs at any time. Empty: 30."
      error={errors['retentionDays']}
    >
      <input type="text" inputMode="numeric" autoComplete="off" {...control('retentionDays')} />
    </Field>
  </fieldset>
);
