import type { FormField } from '@parley/protocol/field';
import type { ComponentChildren, TargetedEvent } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { Entry, entryId } from './entry.tsx';
import { type Control, entryProblem, type Problem } from './entry-problem.ts';
import { entryValue, type Values } from './entry-value.ts';
import { CardForm } from './card-form.tsx';

type Found = { problem: Problem; control: Control };

type Props = {
  title: string;
  fields: readonly FormField[];
  scope: string;
  action: string;
  disabled?: boolean;
  failure?: string | undefined;
  children?: ComponentChildren;
  /** Called with what may be sent. */
  onValues: (values: Values, form: HTMLFormElement) => void;
};

/** Fields with one button; nothing leaves before all of them are as they should be. */
export function FieldsForm({ fields, scope, onValues, children, ...form }: Props) {
  const [found, setFound] = useState<ReadonlyMap<string, Found>>(new Map());
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set());

  const submit = ({ currentTarget }: TargetedEvent<HTMLFormElement>) => {
    const problems = new Map<string, Found>();
    const values: Values = {};
    for (const field of fields) {
      const control = currentTarget.elements.namedItem(entryId(scope, field)) as Control;
      const problem = entryProblem(field, control);
      const value = entryValue(field, control);
      if (problem) problems.set(field.name, { problem, control });
      else if (value !== undefined) values[field.name] = value;
    }
    setFound(problems);
    setEdited(new Set());
    if (problems.size === 0) onValues(values, currentTarget);
  };

  // Once the field says what is wrong with it.
  useLayoutEffect(() => {
    const [first] = found.values();
    first?.control.focus();
  }, [found]);

  return (
    <CardForm {...form} scope={scope} onSubmit={submit}>
      {fields.map((field) => (
        <Entry
          key={field.name}
          field={field}
          scope={scope}
          problem={edited.has(field.name) ? undefined : found.get(field.name)?.problem}
          onEdit={() => setEdited(new Set(edited).add(field.name))}
        />
      ))}
      {children}
    </CardForm>
  );
}
