import { Field } from '../ui/field.tsx';
import { formProblems, maxFields, nameOf, type VisitorField, type VisitorForm } from './form-entries.ts';
import { VisitorFieldEditor } from './visitor-field.tsx';

interface VisitorFormProps {
  readonly form: VisitorForm | null;
  /** Whether what is wrong is said. */
  readonly isChecked: boolean;
  readonly onChange: (form: VisitorForm | null) => void;
}

/** What visitors fill in, field by field. */
export function VisitorFormEditor({ form, isChecked, onChange }: VisitorFormProps) {
  const fields = form?.fields ?? [];
  const problems = isChecked && form ? formProblems(form) : {};
  const change = (fields: readonly VisitorField[]) =>
    onChange(fields.length === 0 ? null : { ...form, fields: [...fields] });
  const add = () => {
    const name = nameOf(
      '',
      fields.map((field) => field.name),
    );
    change([...fields, { name, label: '', type: 'text' }]);
  };
  const text = (name: 'title' | 'action', value: string) => {
    if (!form) return;
    const { [name]: _before, ...rest } = form;
    onChange(value === '' ? rest : { ...rest, [name]: value });
  };
  return (
    <div class="visitor-form">
      {fields.length > 0 && (
        <ol class="visitor-fields">
          {fields.map((field, index) => (
            <VisitorFieldEditor
              key={index}
              field={field}
              number={index + 1}
              count={fields.length}
              taken={fields.filter((_, other) => other !== index).map(({ name }) => name)}
              errors={Object.fromEntries(
                Object.entries(problems)
                  .filter(([place]) => place.startsWith(`${index}.`))
                  .map(([place, problem]) => [place.slice(place.indexOf('.') + 1), problem]),
              )}
              onChange={(next) => change(fields.with(index, next))}
              onMove={(by) => change(fields.with(index, fields[index + by]!).with(index + by, field))}
              onRemove={() => change(fields.toSpliced(index, 1))}
            />
          ))}
        </ol>
      )}
      {fields.length < maxFields && (
        <button type="button" class="button small" onClick={add}>
          Add field
        </button>
      )}
      {form && (
        <div class="columns">
          <Field label="Title of the form" hint="Empty: none.">
            <input
              type="text"
              maxLength={200}
              autoComplete="off"
              value={form.title ?? ''}
              onInput={({ currentTarget }) => text('title', currentTarget.value)}
            />
          </Field>
          <Field label="Its button" hint="Empty: as the widget says it.">
            <input
              type="text"
              maxLength={60}
              autoComplete="off"
              value={form.action ?? ''}
              onInput={({ currentTarget }) => text('action', currentTarget.value)}
            />
          </Field>
        </div>
      )}
    </div>
  );
}
