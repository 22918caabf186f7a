import { expect, test } from 'vitest';
import { argumentsProblem, parametersProblem } from './arguments-schema.ts';
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

test.each([
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
});
