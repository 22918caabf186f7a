import { expect, test } from 'vitest';
import { addRow, changeRow, emptySchema, removeRow, rowsOf } from './parameter-rows.ts';

const schema = JSON.stringify({
  type: 'object',
  properties: {
    city: { type: 'string', description: 'Where.', minLength: 2, enum: ['Oslo', 'Bergen'] },
    days: { type: ['integer', 'null'] },
    tags: { type: 'array', items: { type: 'string', maxLength: 5 }, maxItems: 3 },
    size: { type: 'integer', enum: [1, 2] },
  },
  required: ['city'],
  additionalProperties: false,
});

test('a form is made of a schema, and what the form does not show outlives every change in it', () => {
  expect(rowsOf(schema)).toMatchObject([
    { name: 'city', type: 'choice', description: 'Where.', required: true, choices: ['Oslo', 'Bergen'] },
    { name: 'days', type: 'other', required: false, choices: [] },
    { name: 'tags', type: 'strings' },
    { name: 'size', type: 'other' },
  ]);
  let text = changeRow(schema, 'city', { name: 'place', description: 'Which city.', required: false });
  text = changeRow(text, 'days', { required: true, description: 'How many.' });
  text = changeRow(text, 'tags', { type: 'strings', description: '' });
  text = removeRow(addRow(text, 'note'), 'size');
  expect(JSON.parse(text)).toEqual({
    type: 'object',
    properties: {
      place: { type: 'string', description: 'Which city.', minLength: 2, enum: ['Oslo', 'Bergen'] },
      days: { type: ['integer', 'null'], description: 'How many.' },
      tags: { type: 'array', items: { type: 'string', maxLength: 5 }, maxItems: 3 },
      note: { type: 'string' },
    },
    required: ['days', 'note'],
    additionalProperties: false,
  });
  expect(Object.keys(JSON.parse(text).properties)[0]).toBe('place');
});

test('another type keeps the description alone, and choices come and go', () => {
  const days = changeRow(schema, 'city', { type: 'integer' });
  expect(JSON.parse(days).properties.city).toEqual({ type: 'integer', description: 'Where.' });
  const text = changeRow(schema, 'city', { type: 'string' });
  expect(JSON.parse(text).properties.city).toEqual({ type: 'string', description: 'Where.' });
  const empty = changeRow(text, 'city', { type: 'choice' });
  expect(rowsOf(empty)?.[0]).toMatchObject({ type: 'choice', choices: [] });
  expect(rowsOf(changeRow(empty, 'city', { choices: ['Oslo'] }))?.[0]?.choices).toEqual(['Oslo']);
});

test.each(['', '{', '[]', '{"type":"string"}', '{"type":"object","properties":{"a":true}}'])(
  '%s is shown as JSON alone, and no change in the form touches it',
  (text) => {
    expect(rowsOf(text)).toBeNull();
    expect([addRow(text, 'a'), removeRow(text, 'a'), changeRow(text, 'a', { name: 'b' })]).toEqual([
      text,
      text,
      text,
    ]);
  },
);

test('a new tool has no parameters', () => {
  expect(rowsOf(emptySchema)).toEqual([]);
});
