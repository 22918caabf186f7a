import type { ConductProps } from '../agent/conduct-form.ts';
import { formEntry, formOf } from './form-entries.ts';
import { VisitorFormEditor } from './visitor-form.tsx';

/** What visitors fill in before the first message. */
export const FormFields = ({ form: { values, errors, set } }: ConductProps) => (
  <fieldset class="card">
    <legend>A form before the first message</legend>
    <p class="hint">
      Visitors fill it in once, and the agent is told the answers. Without a field, they write at once: ask
      only for what the first answer needs.
    </p>
    <VisitorFormEditor
      form={formOf(values.visitorForm)}
      isChecked={errors['visitorForm'] !== undefined}
      onChange={(form) => set('visitorForm', formEntry(form))}
    />
    {errors['visitorForm'] && <p class="error">{errors['visitorForm']}</p>}
  </fieldset>
);
