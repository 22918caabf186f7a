import { formFieldSchema } from '@parley/protocol/field';
import { expect, test } from 'vitest';
import {
  type FieldType,
  formProblems,
  nameOf,
  ofType,
  optionLines,
  optionsOf,
  typeNames,
} from './form-entries.ts';

test('a field is called after what visitors read, as the service takes it, and like no other', () => {
  expect(nameOf('Ihre Größe (cm)', [])).toBe('ihre_gro_e_cm');
  expect(nameOf('2nd name', [])).toBe('nd_name');
  expect(nameOf('お名前', ['field'])).toBe('field_2');
  for (const label of ['Email', '  ', 'x'.repeat(200)])
    expect(formFieldSchema.safeParse({ name: nameOf(label, []), label: 'Label' }).success).toBe(true);
});

test('options are lines, with their values where they have others', () => {
  const options = [
    { id: 'de', label: 'Germany' },
    { id: 'Austria', label: 'Austria' },
  ];
  expect(optionLines(options)).toBe('de = Germany\nAustria');
  expect(optionsOf(' de = Germany \n\nAustria\nAustria')).toEqual(options);
});

test('a field of another type says nothing that the type has not', () => {
  const field = {
    name: 'size',
    label: 'Size',
    type: 'number' as const,
    minimum: 1,
    maximum: 2,
    required: true,
  };
  for (const type of Object.keys(typeNames) as FieldType[]) {
    const changed = ofType(field, type);
    const complete = type === 'select' ? { ...changed, options: optionsOf('One') } : changed;
    expect(formFieldSchema.parse(complete)).toMatchObject({ type, required: true });
  }
});

test('what is missing or wrong is a sentence at its place', () => {
  const text = { name: 'a', label: 'A', type: 'text' as const };
  expect(formProblems({ fields: [text] })).toEqual({});
  const wrong = [
    { ...text, label: ' ' },
    { ...text, type: 'select' as const, options: [] },
    { name: '1', label: 'B', type: 'number' as const, minimum: 3, maximum: 2 },
  ];
  expect(Object.keys(formProblems({ fields: wrong }))).toEqual([
    '0.label',
    '1.name',
    '1.options',
    '2.name',
    '2.maximum',
  ]);
});
