import { Check } from '../ui/check.tsx';
import { Field } from '../ui/field.tsx';
import { Further } from '../ui/further.tsx';
import { typesOf } from './conduct-entries.ts';
import type { ConductProps } from './conduct-form.ts';

const kinds = [
  { label: 'Pictures', types: ['image/*'] },
  { label: 'PDF', types: ['application/pdf'] },
  { label: 'Text and JSON', types: ['text/*', 'application/json'] },
];

/** What visitors may send. */
export function FileFields({ form: { control, errors, values, set } }: ConductProps) {
  const chosen = typesOf(values.fileTypes);
  const has = (types: readonly string[]) => types.every((type) => chosen.includes(type));
  const choose = (types: readonly string[], on: boolean) => {
    const rest = chosen.filter((type) => !types.includes(type));
    set('fileTypes', [...rest, ...(on ? types : [])].join('\n'));
  };
  return (
    <fieldset class="card">
      <legend>Files of visitors</legend>
      <p class="hint">
        {chosen.length === 0
          ? 'Visitors send no files: the button is not there.'
          : 'What they send with a message is shown to the model, which has to be one that reads such files.'}
      </p>
      <div class="checks">
        {kinds.map(({ label, types }) => (
          <Check key={label} label={label} checked={has(types)} onChange={(on) => choose(types, on)} />
        ))}
      </div>
      <Further
        summary="Further settings"
        hasErrors={['fileTypes', 'fileMegabytes'].some((field) => errors[field])}
      >
        <div class="columns">
          <Field label="Types" hint="One a line. None: no files." error={errors['fileTypes']}>
            <textarea rows={4} spellcheck={false} {...control('fileTypes')} />
          </Field>
          <Field
            label="Megabytes of one message"
            hint="All its files together, ten at most."
            error={errors['fileMegabytes']}
          >
            <input type="text" inputMode="decimal" autoComplete="off" {...control('fileMegabytes')} />
          </Field>
        </div>
      </Further>
    </fieldset>
  );
}
