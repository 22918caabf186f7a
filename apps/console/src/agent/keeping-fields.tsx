import { Field } from '../ui/field.tsx';
import type { ConductProps } from './conduct-form.ts';

/** How long conversations are kept. */
export const KeepingFields = ({ form: { control, errors } }: ConductProps) => (
  <fieldset class="card">
    <legend>What is kept</legend>
    <Field
      label="Days after the last message"
      hint="Then a conversation in the widget ends, and is erased as many days later, with its files and all that tools were given and answered; one on Chat is erased at once. Visitors can erase theirs at any time. Empty: 30."
      error={errors['retentionDays']}
    >
      <input type="text" inputMode="numeric" autoComplete="off" {...control('retentionDays')} />
    </Field>
  </fieldset>
);
