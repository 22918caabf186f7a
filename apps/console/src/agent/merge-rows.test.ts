import { expect, test } from 'vitest';
import { entriesOf, rowsOf } from './faq-rows.ts';
import { mergeRows } from './merge-rows.ts';

const opens = { question: 'When do you open?', answer: 'At nine.', url: 'https://shop.example/hours' };
const dogs = { question: 'Are dogs welcome?', answer: 'Yes.' };
const parking = { question: 'Can I park?', answer: 'Behind the shop.' };

const merged = (before: (typeof dogs)[], rows: ReturnType<typeof rowsOf>, now: (typeof dogs)[]) => {
  const { rows: next, overtaken } = mergeRows(before, rows, now);
  return { entries: entriesOf(next, now), overtaken };
};

test('what was corrected, added and removed is so among what others have added and removed meanwhile', () => {
  const [first, , third] = rowsOf([opens, dogs, parking]);
  const rows = [
    { ...first!, answer: ' At ten. ' },
    third!,
    { id: 'new 1', question: 'Why?', answer: 'Because.' },
  ];
  const theirs = { question: 'Do you ship?', answer: 'We do.' };
  expect(merged([opens, dogs, parking], rows, [theirs, opens, dogs])).toEqual({
    entries: [theirs, { ...opens, answer: 'At ten.' }, { question: 'Why?', answer: 'Because.' }],
    overtaken: {},
  });
});

test('an answer that two correct is theirs to see before it is replaced', () => {
  const rows = [{ id: '0', question: opens.question, answer: 'At ten.' }];
  const theirs = { ...opens, answer: 'At eight.' };
  const { rows: next, overtaken } = mergeRows([opens], rows, [dogs, theirs]);
  expect(overtaken).toEqual({ 1: { answer: expect.stringContaining('“At eight.”') } });
  const again = mergeRows([dogs, theirs], next, [dogs, theirs]);
  expect(again.overtaken).toEqual({});
  expect(entriesOf(again.rows, [dogs, theirs])).toEqual([dogs, { ...opens, answer: 'At ten.' }]);
});

test('what two have corrected alike is no matter, nor is a question that others have put in other words', () => {
  const rows = [{ id: '0', question: opens.question, answer: 'At ten.' }, ...rowsOf([opens, dogs]).slice(1)];
  const reworded = { ...dogs, question: 'May I bring my dog?' };
  expect(merged([opens, dogs], rows, [{ ...opens, answer: 'At ten.' }, reworded])).toEqual({
    entries: [{ ...opens, answer: 'At ten.' }, reworded],
    overtaken: {},
  });
});

test('what was corrected outlives its removal by others, and their correction a removal', () => {
  const corrected = [{ id: '0', question: opens.question, answer: 'At ten.' }];
  const theirs = { ...dogs, answer: 'On a lead.' };
  expect(merged([opens, dogs], corrected, [theirs])).toEqual({
    entries: [theirs, { question: opens.question, answer: 'At ten.' }],
    overtaken: {},
  });
});
