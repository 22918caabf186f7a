import { Check } from '../ui/check.tsx';
import { Field } from '../ui/field.tsx';
import { Further } from '../ui/further.tsx';
import {
  type FieldType,
  nameOf,
  ofType,
  optionLines,
  optionsOf,
  typeNames,
  type VisitorField,
} from './form-entries.ts';
import { Lines } from './lines.tsx';

interface VisitorFieldProps {
  readonly field: VisitorField;
  /** Counted from one. */
  readonly number: number;
  readonly count: number;
  /** The names of the others. */
  readonly taken: readonly string[];
  /** By the place in the field. */
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (field: VisitorField) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

/** One thing that visitors are asked. */
export function VisitorFieldEditor(props: VisitorFieldProps) {
  const { field, number, count, taken, errors, onChange, onMove, onRemove } = props;
  const { label, name, type, required = false, description = '', placeholder = '', options } = field;
  const change = (fields: Partial<VisitorField>) => {
    const all = Object.entries({ ...field, ...fields });
    onChange(Object.fromEntries(all.filter(([, value]) => value !== undefined)) as VisitorField);
  };
  const relabel = (text: string) =>
    change({ label: text, ...(name === nameOf(label, taken) && { name: nameOf(text, taken) }) });
  const isRange = type === 'number' || type === 'date';
  const bound = (text: string) => (text === '' ? undefined : type === 'number' ? Number(text) : text);
  return (
    <li class="visitor-field">
      <div class="visitor-field-head">
        <h2>{label.trim() || `Field ${number}`}</h2>
        <div class="actions">
          <button
            type="button"
            class="button small"
            aria-label={`Move field ${number} up`}
            disabled={number === 1}
            onClick={() => onMove(-1)}
          >
            Up
          </button>
          <button
            type="button"
            class="button small"
            aria-label={`Move field ${number} down`}
            disabled={number === count}
            onClick={() => onMove(1)}
          >
            Down
          </button>
          <button
            type="button"
            class="button small danger-quiet"
            aria-label={`Remove field ${number}`}
            onClick={onRemove}
          >
            Remove
          </button>
        </div>
      </div>
      <div class="columns">
        <Field label="What visitors are asked" error={errors['label']}>
          <input
            type="text"
            maxLength={200}
            autoComplete="off"
            value={label}
            onInput={({ currentTarget }) => relabel(currentTarget.value)}
          />
        </Field>
        <Field label="They enter">
          <select
            value={type}
            onInput={({ currentTarget }) => onChange(ofType(field, currentTarget.value as FieldType))}
          >
            {Object.entries(typeNames).map(([value, each]) => (
              <option key={value} value={value}>
                {each}
              </option>
            ))}
          </select>
        </Field>
      </div>
      {type === 'select' && (
        <Lines
          label="What can be chosen"
          hint="One a line. To tell the agent something else than visitors read: de = Germany."
          error={errors['options']}
          value={optionLines(options)}
          onChange={(lines) => change({ options: optionsOf(lines) })}
        />
      )}
      <Check
        label="Must be filled in"
        checked={required}
        onChange={(checked) => change({ required: checked || undefined })}
      />
      <Further
        summary="Help, and what the agent is told"
        hasErrors={errors['name'] !== undefined || errors['maximum'] !== undefined}
      >
        <div class="columns">
          <Field label="Help below it">
            <input
              type="text"
              maxLength={500}
              autoComplete="off"
              value={description}
              onInput={({ currentTarget }) => change({ description: currentTarget.value || undefined })}
            />
          </Field>
          {type !== 'select' && type !== 'checkbox' && (
            <Field label="Example in it">
              <input
                type="text"
                maxLength={200}
                autoComplete="off"
                value={placeholder}
                onInput={({ currentTarget }) => change({ placeholder: currentTarget.value || undefined })}
              />
            </Field>
          )}
        </div>
        {isRange && (
          <div class="columns">
            <Field label={type === 'date' ? 'Earliest' : 'Least'}>
              <input
                type={type}
                step="any"
                value={String(field.minimum ?? '')}
                onInput={({ currentTarget }) => change({ minimum: bound(currentTarget.value) })}
              />
            </Field>
            <Field label={type === 'date' ? 'Latest' : 'Most'} error={errors['maximum']}>
              <input
                type={type}
                step="any"
                value={String(field.maximum ?? '')}
                onInput={({ currentTarget }) => change({ maximum: bound(currentTarget.value) })}
              />
            </Field>
          </div>
        )}
        <Field
          label="What the agent calls it"
          hint="The agent is told the answers under these names."
          error={errors['name']}
        >
          <input
            type="text"
            maxLength={64}
            autoComplete="off"
            spellcheck={false}
            value={name}
            onInput={({ currentTarget }) => change({ name: currentTarget.value })}
          />
        </Field>
      </Further>
    </li>
  );
}
