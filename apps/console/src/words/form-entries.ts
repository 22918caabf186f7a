import type { WidgetSettings } from '@parley/protocol/settings/widget';

export type VisitorForm = NonNullable<WidgetSettings['form']>;
export type VisitorField = VisitorForm['fields'][number];
export type FieldType = VisitorField['type'];

export const maxFields = 10;
const maxOptions = 50;

export const typeNames: Readonly<Record<FieldType, string>> = {
  text: 'Text',
  multiline: 'Text of several lines',
  email: 'Email address',
  tel: 'Phone number',
  url: 'Web address',
  number: 'Number',
  date: 'Date',
  select: 'One of a list',
  checkbox: 'Yes or no',
};

/** An entry of the agent's form as what it stands for; null: nothing is asked. */
export function formOf(entry: string): VisitorForm | null {
  return entry === '' ? null : (JSON.parse(entry) as VisitorForm);
}

/** A form without fields asks nothing. */
export const formEntry = (form: VisitorForm | null | undefined): string =>
  form && form.fields.length > 0 ? JSON.stringify(form) : '';

/** What a field is called in what the agent is told, made of what visitors read. */
export function nameOf(label: string, taken: readonly string[]): string {
  const folded = label.normalize('NFKD').replaceAll(/\p{M}+/gu, '');
  const words = folded.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^[\d_]+|_+$/g, '');
  const name = words.slice(0, 60).toLowerCase() || 'field';
  let free = name;
  for (let count = 2; taken.includes(free); count += 1) free = `${name}_${count}`;
  return free;
}

/** The field after a change of its type: what is said of values of one type means nothing for another. */
export function ofType(field: VisitorField, type: FieldType): VisitorField {
  const { options, minimum: _minimum, maximum: _maximum, ...rest } = field;
  return type === 'select' ? { ...rest, type, options: options ?? [] } : { ...rest, type };
}

/** Options as they are typed, one a line. One whose value is another than what visitors read: `de = Germany`. */
export const optionLines = (options: VisitorField['options']): string =>
  (options ?? []).map(({ id, label }) => (id === label ? label : `${id} = ${label}`)).join('\n');

export function optionsOf(lines: string): NonNullable<VisitorField['options']> {
  const options = lines
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [, id = line, label = line] = /^(\S+)\s+=\s+(.+)$/.exec(line) ?? [];
      return { id, label };
    });
  return options.filter(({ id }, index) => options.findIndex((each) => each.id === id) === index);
}

/** What is wrong with a form, by the place in it: `title`, or `0.label` of its first field. */
export function formProblems({ fields }: VisitorForm): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [index, { name, label, type, options, minimum, maximum }] of fields.entries()) {
    if (label.trim() === '') found[`${index}.label`] = 'Write what visitors are asked.';
    if (!/^[A-Za-z][\w-]{0,63}$/.test(name))
      found[`${index}.name`] = 'A letter, then letters, digits, _ or -.';
    else if (fields.findIndex((each) => each.name === name) < index)
      found[`${index}.name`] = 'Another field has this name.';
    if (type === 'select' && !options?.length) found[`${index}.options`] = 'Write what can be chosen.';
    else if ((options?.length ?? 0) > maxOptions) found[`${index}.options`] = `${maxOptions} at most.`;
    if (minimum !== undefined && maximum !== undefined && minimum > maximum)
      found[`${index}.maximum`] = 'This is less than the least.';
  }
  return found;
}
