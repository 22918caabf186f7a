import { expect, test } from 'vitest';
import { languageName, languagesEntry, tagProblem, withWords, wordsProblems } from './language-entries.ts';

test('words that are emptied are those of everybody, and languages without any are none', () => {
  const words = withWords({ greeting: 'Hallo!' }, { prompts: ['Wann?'], teaser: '' });
  expect(words).toEqual({ greeting: 'Hallo!', prompts: ['Wann?'] });
  expect(withWords(words, { greeting: '', prompts: [] })).toEqual({});
  expect(languagesEntry({})).toBe('');
});

test('a language is a tag, called as people say it, and stands there once', () => {
  expect(languageName('pt-BR')).toBe('Brazilian Portuguese (pt-BR)');
  expect([languageName('xx'), languageName('no tag')]).toEqual(['xx', 'no tag']);
  expect(tagProblem('de', {})).toBeNull();
  expect(tagProblem('German!', {})).toBe('Enter a language such as de or pt-BR.');
  expect(tagProblem('DE', { de: {} })).toBe('German (DE) is there already.');
});

test('what is wrong with words is a sentence at its place', () => {
  const form = { fields: [{ name: 'a', label: '', type: 'text' as const }] };
  const consent = { text: ' ', link: 'javascript:alert(1)' };
  const prompts = ['1', '2', '3', '4', '5'];
  expect(Object.keys(wordsProblems({ prompts, consent, form }))).toEqual([
    'prompts',
    'consentLink',
    'consentText',
    'form.0.label',
  ]);
});
