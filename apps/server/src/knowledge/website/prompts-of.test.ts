import { expect, test } from 'vitest';
import { promptsOf } from './prompts-of.ts';

const page = (title: string, ...headings: string[]) => ({ title, headings });

test('prompts are the questions that pages answer, then their topics, without the name of the website', () => {
  const pages = [
    page('Fernhill Cycles – Bikes for everyone'),
    page('Delivery – Fernhill Cycles', 'How long does delivery take?', 'Costs'),
    page('Privacy – Fernhill Cycles', 'What do we keep?'),
    page('Repairs – Fernhill Cycles'),
  ];
  expect(promptsOf(pages, 'en-GB')).toEqual([
    'How long does delivery take?',
    'What do we keep?',
    'What can you tell me about “Bikes for everyone”?',
    'What can you tell me about “Delivery”?',
  ]);
  expect(promptsOf(pages.slice(3), 'de')).toEqual(['Was können Sie mir zu „Repairs“ sagen?']);
  expect(promptsOf([page('Home'), page('Login')], null)).toEqual([]);
});
