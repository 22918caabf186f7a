import type { FormField } from '@parley/protocol/field';

const types: readonly unknown[] = [
  'text',
  'multiline',
  'email',
  'tel',
  'url',
  'number',
  'date',
  'select',
  'checkbox',
] satisfies FormField['type'][];

/** The form in a question's input, which is what a model wrote; null if it makes none. */
export function readFields(value: unknown): readonly FormField[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const fields = value.map(readField);
  const names = new Set(fields.map((field) => field?.name));
  return names.size === fields.length && fields.every((field) => field !== null) ? fields : null;
}

function readField(value: unknown): FormField | null {
  const given = (value ?? {}) as Record<string, unknown>;
  const { name, label, type = 'text', options, required, description, placeholder, maxLength } = given;
  if (!isText(name) || !/^[A-Za-z][\w-]{0,63}$/.test(name) || !isText(label) || !types.includes(type))
    return null;
  if (type === 'select' && !(Array.isArray(options) && options.length > 0 && options.every(isOption)))
    return null;
  const limit = (bound: unknown) =>
    (type === 'number' && Number.isFinite(bound)) || (type === 'date' && isText(bound) && isDate(bound));
  return {
    name,
    label,
    type: type as FormField['type'],
    required: required === true,
    ...(type === 'select' && { options: options as FormField['options'] }),
    ...(isText(description) && { description }),
    ...(isText(placeholder) && { placeholder }),
    ...(limit(given['minimum']) && { minimum: given['minimum'] as number | string }),
    ...(limit(given['maximum']) && { maximum: given['maximum'] as number | string }),
    ...(Number.isInteger(maxLength) && (maxLength as number) > 0 && { maxLength: maxLength as number }),
  };
}

export const isDate = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const isOption = (value: unknown) => {
  const { id, label } = (value ?? {}) as Record<string, unknown>;
  return isText(id) && isText(label);
};
