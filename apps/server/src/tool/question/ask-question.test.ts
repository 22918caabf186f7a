import { expect, test } from 'vitest';
import { argumentsProblem, parametersProblem } from '../schema/arguments-schema.ts';
import { askQuestion, parseQuestion } from './ask-question.ts';

test('a question is taken as the model asked it, without unknown fields', () => {
  const question = {
    prompt: 'Which colour?',
    options: [
      { id: 'red', label: 'Red', description: 'warm' },
      { id: 'blue', label: 'Blue', style: 'primary' },
    ],
    allowFreeform: true,
  };
  expect(parseQuestion({ ...question, extra: 1 })).toEqual({ ok: true, question });
  expect(parseQuestion({ prompt: 'Why?' })).toEqual({ ok: true, question: { prompt: 'Why?' } });
  expect(parseQuestion({ prompt: 'Why?', options: [] })).toMatchObject({
    ok: true,
    question: { options: [] },
  });
});

test('several of the options, or a form', () => {
  const options = [{ id: 'red', label: 'Red' }];
  const several = { prompt: 'Which?', options, multiple: true };
  expect(parseQuestion(several)).toEqual({ ok: true, question: several });
  const fields = [
    { name: 'email', label: 'E-mail', type: 'email', required: true },
    { name: 'size', label: 'Size', type: 'select', options },
  ];
  const form = { prompt: 'Who are you?', fields };
  expect(parseQuestion(form)).toEqual({ ok: true, question: form });
  // Models fill in what they may leave out.
  expect(parseQuestion({ ...form, options: [], multiple: false }).ok).toBe(true);
  expect(parseQuestion({ prompt: 'Which?', options, fields: [] }).ok).toBe(true);
});

const field = { name: 'email', label: 'E-mail' };

test.each([
  [{ prompt: 'x', multiple: true }, 'multiple: several can only be chosen of options'],
  [{ prompt: 'x', multiple: true, options: [] }, 'multiple: several can only be chosen of options'],
  [{ prompt: 'x', multiple: true, fields: [field] }, 'multiple: several can only be chosen of options'],
  [
    { prompt: 'x', options: [{ id: 'a', label: 'A' }], fields: [field] },
    'fields: a form has no options beside its fields',
  ],
  [{ prompt: 'x', fields: [field, field] }, 'fields: Two fields have the same name.'],
  [{ prompt: 'x', fields: [{ ...field, type: 'select' }] }, 'fields.0.options: A select needs options.'],
  [{ prompt: 'x', fields: [{ ...field, type: 'color' }] }, 'fields.0.type'],
  [undefined, 'input'],
  [{}, 'prompt'],
  [{ prompt: '' }, 'prompt'],
  [{ prompt: 'x', options: 'red' }, 'options'],
  [{ prompt: 'x', options: [{ id: 'red' }] }, 'options.0.label'],
  [{ prompt: 'x', options: [{ id: 'a', label: 'A', style: 'loud' }] }, 'options.0.style'],
  [{ prompt: 'x', allowFreeform: 'yes' }, 'allowFreeform'],
  [{ prompt: 'x', options: ['a', 'a'].map((id) => ({ id, label: id })) }, 'two options have the same id'],
])('%j is answered with what is wrong', (input, what) => {
  const parsed = parseQuestion(input);
  expect(parsed).toEqual({ ok: false, message: expect.stringContaining(what) });
});

test('the schema offered to the model is valid and accepts a question', () => {
  expect(parametersProblem(askQuestion.parameters)).toBeUndefined();
  expect(
    argumentsProblem(askQuestion.parameters, { prompt: 'x', options: [{ id: 'a', label: 'A' }] }),
  ).toBeUndefined();
  const date = { name: 'day', label: 'Day', type: 'date', minimum: '2026-11-20', required: true };
  const size = { name: 'size', label: 'Size', type: 'select', options: [{ id: 's', label: 'Small' }] };
  const count = { name: 'count', label: 'Count', type: 'number', minimum: 1, maximum: 9 };
  const form = {
    prompt: 'x',
    fields: [date, size, count, { ...field, maxLength: 80, placeholder: 'a@b.example' }],
  };
  expect(argumentsProblem(askQuestion.parameters, form)).toBeUndefined();
});
