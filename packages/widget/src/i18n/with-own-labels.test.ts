import { expect, test } from 'vitest';
import { withOwnLabels } from './with-own-labels.ts';

const english = { assistant: 'AI assistant', honesty: 'You are talking to an AI.', privacy: 'Privacy' };

test('a page replaces words, and may take others away', () => {
  expect(withOwnLabels(english, { privacy: '', honesty: 'Ask our machine.' })).toEqual({
    ...english,
    privacy: '',
    honesty: 'Ask our machine.',
  });
  expect(withOwnLabels(english, undefined)).toEqual(english);
});

test.for(['', ' ', '\u200b', '\u00a0\u2060\n', '\0', '\u2800', '\u3164', '\u115f\uffa0', '\u{e0041}\ufe0f'])(
  'that it is an AI is said in spite of %j',
  (text) => {
    expect(withOwnLabels(english, { assistant: text, honesty: text })).toEqual(english);
  },
);
