import { useState } from 'preact/hooks';
import { Field } from '../ui/field.tsx';
import {
  addRow,
  changeRow,
  emptySchema,
  type ParameterRow,
  type ParameterType,
  removeRow,
  rowsOf,
} from './parameter-rows.ts';
import { freeName } from './proposal.ts';
import { missingParameters } from './tool-entries.ts';
import type { ToolFields } from './tool-fields.ts';

const typeNames: { readonly [Type in ParameterType]: string } = {
  string: 'Text',
  choice: 'One of a list',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
  strings: 'List of texts',
  other: 'As the schema says',
};

/** What the agent fills in: a form, and the schema that it makes beside it. */
export function ParameterFields({ form }: ToolFields) {
  const { control, errors, values, set } = form;
  const rows = rowsOf(values.parameters);
  const missing = missingParameters(values);
  const update = (text: string) => set('parameters', text);
  const add = (name: string) => update(addRow(values.parameters, name));
  return (
    <fieldset class="card">
      <legend>What the agent fills in</legend>
      {missing.length > 0 && (
        <div class="notice actions">
          <span>The request has places that are no parameter yet.</span>
          {missing.map((name) => (
            <button key={name} type="button" class="button small" onClick={() => add(name)}>
              Add {name}
            </button>
          ))}
        </div>
      )}
      <div class="tool-parameters">
        <div class="stack">
          {rows === null && (
            <p class="notice">
              This schema says more than a form can show. Edit it as JSON: it is saved as it stands.{' '}
              <button type="button" class="button small" onClick={() => update(emptySchema)}>
                Start anew
              </button>
            </p>
          )}
          {rows?.length === 0 && <p class="hint">Nothing: each call is the same.</p>}
          {rows !== null && rows.length > 0 && (
            <p class="hint">The agent reads what each of them is, to fill it in as it should.</p>
          )}
          {rows?.map((row, index) => (
            <Parameter
              key={index}
              row={row}
              others={rows.filter((each) => each !== row).map(({ name }) => name)}
              onChange={(change) => update(changeRow(values.parameters, row.name, change))}
              onRemove={() => update(removeRow(values.parameters, row.name))}
            />
          ))}
          {rows !== null && (
            <button
              type="button"
              class="button small"
              onClick={() => add(freeName('parameter', (name) => rows.some((row) => row.name === name)))}
            >
              Add parameter
            </button>
          )}
        </div>
        <Field label="The same as JSON Schema" error={errors['parameters']}>
          <textarea class="tool-code" rows={10} spellcheck={false} {...control('parameters')} />
        </Field>
      </div>
    </fieldset>
  );
}

interface ParameterProps {
  readonly row: ParameterRow;
  readonly others: readonly string[];
  readonly onChange: (change: Partial<ParameterRow>) => void;
  readonly onRemove: () => void;
}

function Parameter({ row, others, onChange, onRemove }: ParameterProps) {
  const { name, type, description, required, choices } = row;
  /** What is typed, until it is a name that the schema can have. */
  const [typed, setTyped] = useState(name);
  /** Choices as they are typed: a line that is still empty is none. */
  const [lines, setLines] = useState<string | null>(null);
  const isFree = typed !== '' && !others.includes(typed);
  const shown = lines ?? choices.join('\n');
  return (
    <div class="tool-parameter" role="group" aria-label={`Parameter ${name}`}>
      <div class="columns">
        <Field label="Name" error={isFree || typed === name ? undefined : 'Another one has this name.'}>
          <input
            type="text"
            autoComplete="off"
            spellcheck={false}
            maxLength={64}
            value={isFree ? name : typed}
            onInput={({ currentTarget: { value } }) => {
              setTyped(value);
              if (value !== '' && !others.includes(value)) onChange({ name: value });
            }}
          />
        </Field>
        <Field label="Type">
          <select
            value={type}
            onInput={({ currentTarget }) => onChange({ type: currentTarget.value as ParameterType })}
          >
            {Object.entries(typeNames).map(([value, label]) => (
              <option key={value} value={value} disabled={value === 'other' && type !== 'other'}>
                {label}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <Field label="What it is">
        <input
          type="text"
          autoComplete="off"
          maxLength={1_000}
          value={description}
          onInput={({ currentTarget }) => onChange({ description: currentTarget.value })}
        />
      </Field>
      {type === 'choice' && (
        <Field label="Choices" hint="One a line.">
          <textarea
            rows={2}
            value={shown}
            onInput={({ currentTarget: { value } }) => {
              setLines(value);
              const given = value.split('\n').map((line) => line.trim());
              onChange({ choices: [...new Set(given.filter(Boolean))] });
            }}
            onBlur={() => setLines(null)}
          />
        </Field>
      )}
      <div class="actions tool-spread">
        <label class="tool-check">
          <input
            type="checkbox"
            checked={required}
            onChange={({ currentTarget }) => onChange({ required: currentTarget.checked })}
          />
          Always needed
        </label>
        <button
          type="button"
          class="button small danger-quiet"
          aria-label={`Remove parameter ${name}`}
          onClick={onRemove}
        >
          Remove
        </button>
      </div>
    </div>
  );
}
