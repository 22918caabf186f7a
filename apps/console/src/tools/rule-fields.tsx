import { Field } from '../ui/field.tsx';
import { withApproval } from './tool-entries.ts';
import type { ToolFields } from './tool-fields.ts';

/** When and where it runs. */
export const RuleFields = ({ form: { control, errors, values, change } }: ToolFields) => (
  <fieldset class="card">
    <legend>How it runs</legend>
    <div class="columns">
      <Field label="Approval" hint="Who says that a call is made." error={errors['approval']}>
        <select
          {...control('approval')}
          onInput={({ currentTarget: { value } }) => change(withApproval(value))}
        >
          <option value="never">It runs by itself</option>
          <option value="once">The visitor approves the first call</option>
          <option value="always">The visitor approves each call</option>
        </select>
      </Field>
      {values.approval !== 'never' && (
        <Field
          label="Approval within"
          hint="Minutes. Empty: as long as the conversation lasts."
          error={errors['approvalMinutes']}
        >
          <input type="text" inputMode="decimal" autoComplete="off" {...control('approvalMinutes')} />
        </Field>
      )}
      <Field
        label="Can be repeated"
        hint="Whether a call that broke off may be sent again without harm."
        error={errors['repeats']}
      >
        <select {...control('repeats')}>
          <option value="method">As its method says: {isReading(values.method) ? 'yes' : 'no'}</option>
          <option value="yes">Yes</option>
          <option value="no">No</option>
        </select>
      </Field>
    </div>
    <div class="columns">
      <Field label="Where it is used" error={errors['scope']}>
        <select {...control('scope')}>
          <option value="both">Everywhere</option>
          <option value="sessions">In the widget alone</option>
          <option value="chat">By servers on the Chat interface alone</option>
          <option value="none">Nowhere, for now</option>
        </select>
      </Field>
      <Field
        label="What visitors can open"
        hint="What a call was given and what it answered may say more than they should read."
        error={errors['visibility']}
      >
        <select {...control('visibility')}>
          <option value="status">Only that it ran</option>
          <option value="full">What was sent and answered</option>
        </select>
      </Field>
      <Field label="Time to answer" hint="Seconds." error={errors['seconds']}>
        <input type="text" inputMode="decimal" autoComplete="off" {...control('seconds')} />
      </Field>
    </div>
  </fieldset>
);

const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD';
