import { Field } from '../ui/field.tsx';
import type { ConductProps } from './conduct-form.ts';

/** What visitors agree to before the first message. */
export const BeforeFields = ({ form: { control, errors } }: ConductProps) => (
  <fieldset class="card">
    <legend>Before the first message</legend>
    <Field
      label="What visitors agree to"
      hint="Until they do, nothing is sent and nothing is stored. It is asked once in a browser, and again when the text changes. Empty: nothing is asked."
      error={errors['consentText']}
    >
      <textarea
        rows={2}
        maxLength={2_000}
        placeholder="An AI answers here. Please share no health data."
        {...control('consentText')}
      />
    </Field>
    <div class="columns">
      <Field label="Where to read more" error={errors['consentLink']}>
        <input type="url" autoComplete="off" placeholder="https://" {...control('consentLink')} />
      </Field>
      <Field
        label="Privacy page"
        hint="A link at the foot of the panel, always."
        error={errors['privacyUrl']}
      >
        <input type="url" autoComplete="off" placeholder="https://" {...control('privacyUrl')} />
      </Field>
    </div>
  </fieldset>
);
