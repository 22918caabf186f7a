import { expect, test } from 'vitest';
import { formFieldSchema, formFieldsSchema } from './field.ts';

const problems = (value: unknown): string[] =>
  formFieldSchema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];

const field = { name: 'size', label: 'Size' };
const options = [
  { id: 's', label: 'Small' },
  { id: 'l', label: 'Large' },
];

test('a field is text unless it says what it is', () => {
  expect(formFieldSchema.parse(field)).toEqual({ ...field, type: 'text' });
});

test.each([
  { type: 'multiline', maxLength: 20_000, placeholder: 'What happened?', description: 'In your own words' },
  { type: 'number', minimum: 1, maximum: 1.5, required: true },
  { type: 'date', minimum: '2026-11-20', maximum: '2026-11-20' },
  { type: 'select', options },
  { type: 'checkbox' },
])('a field of type $type', (extras) => {
  expect(formFieldSchema.parse({ ...field, ...extras })).toEqual({ ...field, ...extras });
});

test.each([
  [{ type: 'select' }, 'A select needs options.'],
  [{ type: 'text', options }, 'Only a select has options.'],
  [{ type: 'select', options: [options[0], options[0]] }, 'Two options have the same id.'],
  [{ type: 'number', minimum: '2026-11-20' }, 'Expected a number.'],
  [{ type: 'date', maximum: 5 }, 'Expected a date as yyyy-mm-dd.'],
  [{ type: 'date', maximum: '2026-02-30' }, 'Expected a number or a date as yyyy-mm-dd.'],
  [{ type: 'text', minimum: 1 }, 'Only a number or a date has a minimum and a maximum.'],
  [{ type: 'number', minimum: 2, maximum: 1 }, 'The maximum is below the minimum.'],
  [{ name: '1st' }, 'Expected a letter, then up to 63 letters, digits, _ or -.'],
])('%j is refused with the reason', (extras, reason) => {
  expect(problems({ ...field, ...extras })).toEqual([reason]);
});

test('the names of a form differ, and there are at most twenty', () => {
  const fields = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...field, name: `field${index}` }));
  expect(formFieldsSchema.safeParse(fields(20)).success).toBe(true);
  expect(formFieldsSchema.safeParse(fields(21)).success).toBe(false);
  const twice = formFieldsSchema.safeParse([field, field]);
  expect(twice.error?.issues[0]?.message).toBe('Two fields have the same name.');
});
