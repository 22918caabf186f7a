import { expect, test } from 'vitest';
import { answerDifferences } from './answer-differences.ts';

const hours = { number: 1, title: 'Hours', url: 'https://a.example/hours' };
const prices = { number: 1, title: 'Prices' };
const answer = { text: 'We open at nine.', durationMs: 900, sources: [hours] };

test('answers that differ in nothing that matters are alike', () => {
  const other = { text: 'We open at ten.', durationMs: 1_600, sources: [{ ...hours, number: 3 }] };
  expect(answerDifferences(answer, other)).toEqual({ length: null, time: null, gained: [], lost: [] });
});

test('length in words, time and sources are told apart, from the draft’s side', () => {
  const draft = { text: '九時に開きます。', durationMs: 4_100, sources: [prices] };
  const longer = { ...draft, text: 'We open at nine, every day but Sunday.' };
  expect(answerDifferences(longer, answer)).toEqual({
    length: '4 words longer',
    time: '3.2 s slower',
    gained: ['Prices'],
    lost: ['Hours'],
  });
  expect(answerDifferences(answer, longer)).toMatchObject({
    length: '4 words shorter',
    time: '3.2 s faster',
  });
  expect(answerDifferences({ ...draft, text: 'One.' }, { ...draft, text: '' }).length).toBe('1 word longer');
});
