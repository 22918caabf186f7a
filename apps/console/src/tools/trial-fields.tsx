import { Field } from '../ui/field.tsx';
import type { ParameterRow } from './parameter-rows.ts';

interface TrialFieldsProps {
  readonly rows: readonly ParameterRow[];
  readonly entered: Readonly<Record<string, string>>;
  readonly onChange: (name: string, value: string) => void;
}

/** Where a person fills in what otherwise the agent does. */
export const TrialFields = ({ rows, entered, onChange }: TrialFieldsProps) => (
  <div class="columns">
    {rows.map((row) => (
      <Field key={row.name} label={row.name} hint={row.description || undefined}>
        {controlOf(row, entered[row.name] ?? '', (value) => onChange(row.name, value))}
      </Field>
    ))}
  </div>
);

function controlOf({ type, choices }: ParameterRow, value: string, onValue: (value: string) => void) {
  const options = type === 'boolean' ? ['yes', 'no'] : choices;
  if (options.length > 0)
    return (
      <select value={value} onInput={({ currentTarget }) => onValue(currentTarget.value)}>
        <option value="" />
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    );
  if (type === 'strings' || type === 'other')
    return (
      <textarea
        rows={2}
        placeholder={type === 'strings' ? 'One a line' : 'JSON'}
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
    );
  return (
    <input
      type="text"
      inputMode={type === 'string' ? 'text' : 'decimal'}
      autoComplete="off"
      value={value}
      onInput={({ currentTarget }) => onValue(currentTarget.value)}
    />
  );
}
