import type { SourceView } from '@parley/protocol/settings/source';
import { expect, test } from 'vitest';
import { changeField, changeProblems, changesOf, mergeChanges, rowsIn } from './source-changes.ts';

const common = {
  id: 'source_1',
  agentId: 'agent_1',
  createdAt: '2026-01-01T00:00:00.000Z',
  reading: { status: 'read', pages: 1, passages: 1, readAt: null, problems: [] as string[], problemCount: 0 },
} as const;
const website: SourceView = {
  ...common,
  kind: 'website',
  name: 'shop.example',
  url: 'https://shop.example/',
  maxPages: 30,
};
const text: SourceView = { ...common, kind: 'text', name: 'Rentals', language: 'en', text: 'Twenty a day.' };
const faq: SourceView = {
  ...common,
  kind: 'faq',
  name: 'Dogs',
  entries: [{ question: 'Are dogs welcome?', answer: 'Yes.' }],
};

const patchOf = (before: SourceView, changes: object, now = before) =>
  mergeChanges(before, { ...changesOf(before), ...changes }, now).patch;

test('only what was changed is sent, and what was emptied goes back to its default', () => {
  expect(patchOf(website, {})).toEqual({});
  expect(
    patchOf(website, { title: ' Shop ', url: 'shop.example/help', maxPages: '200', language: 'de' }),
  ).toEqual({
    name: 'Shop',
    url: 'https://shop.example/help',
    maxPages: 200,
    language: 'de',
  });
  expect(patchOf({ ...text, url: 'https://shop.example/rent' }, { language: '', url: ' ' })).toEqual({
    language: null,
    url: null,
  });
  const file: SourceView = { ...common, kind: 'file', name: 'a.pdf', mediaType: 'application/pdf', size: 1 };
  expect(patchOf(file, { title: 'Prices' })).toEqual({ name: 'Prices' });
});

test('an answer is sent among what others have made of the others', () => {
  const rows = rowsIn(changesOf(faq)).map((row) => ({ ...row, answer: 'On a lead.' }));
  const theirs = { question: 'Can I park?', answer: 'Yes.' };
  const now = { ...faq, name: 'Visits', entries: [...faq.entries, theirs] };
  expect(patchOf(faq, { faq: JSON.stringify(rows) }, now)).toEqual({
    entries: [{ question: 'Are dogs welcome?', answer: 'On a lead.' }, theirs],
  });
});

test('what two have changed is said at its field, and sent once somebody has seen it', () => {
  const changes = { ...changesOf(text), text: 'Thirty a day.', title: 'Prices' };
  const now = { ...text, text: 'Forty a day.', name: 'Rates' };
  const { overtaken, changes: next } = mergeChanges(text, changes, now);
  expect(Object.keys(overtaken)).toEqual(['title', 'text']);
  expect(overtaken.title).toContain('“Rates”');
  expect(mergeChanges(now, next, now)).toMatchObject({
    overtaken: {},
    patch: { text: 'Thirty a day.', name: 'Prices' },
  });
});

test('what is wrong is said at its field, whoever finds it', () => {
  const wrong = { title: ' ', language: 'German!', url: 'shop', maxPages: '0', text: ' ', faq: '' };
  expect(Object.keys(changeProblems('website', wrong))).toEqual(['title', 'language', 'url', 'maxPages']);
  expect(Object.keys(changeProblems('text', wrong))).toEqual(['title', 'language', 'url', 'text']);
  const rows = JSON.stringify([{ id: '0', question: 'Why?', answer: ' ' }]);
  expect(Object.keys(changeProblems('faq', { ...changesOf(faq), faq: rows }))).toEqual(['faq']);
  expect(['name', 'entries.3.answer', 'maxPages'].map(changeField)).toEqual(['title', 'faq', 'maxPages']);
});
