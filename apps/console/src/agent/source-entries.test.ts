import { expect, test } from 'vitest';
import { sourceEntries, sourceField, sourceOf, sourceProblems } from './source-entries.ts';

test.each([
  [' shop.example/help ', 'https://shop.example/help', 'shop.example'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/', '127.0.0.1'],
])(
  'a website is named after its host, and reached over HTTPS unless somebody says else: %s',
  (url, href, name) => {
    expect(sourceProblems({ ...sourceEntries, url })).toEqual({});
    expect(sourceOf({ ...sourceEntries, url })).toEqual({ kind: 'website', name, url: href, maxPages: 30 });
  },
);

test.each(['', ' ', 'shop', 'https://', 'two words.example'])('%j is no address of a website', (url) => {
  expect(sourceProblems({ ...sourceEntries, url })).toEqual({ url: expect.stringContaining('such as') });
});

test('a question is a list of one, named by itself', () => {
  const entries = { ...sourceEntries, kind: 'faq', question: ' When do you open? ', answer: ' At nine. ' };
  expect(sourceProblems(entries)).toEqual({});
  expect(sourceOf(entries)).toEqual({
    kind: 'faq',
    name: 'When do you open?',
    entries: [{ question: 'When do you open?', answer: 'At nine.' }],
  });
});

test('what is missing is said at its field, and what the service says at the field it is about', () => {
  expect(Object.keys(sourceProblems({ ...sourceEntries, kind: 'faq' }))).toEqual(['question', 'answer']);
  expect(Object.keys(sourceProblems({ ...sourceEntries, kind: 'text' }))).toEqual(['title', 'text']);
  expect(['entries.0.answer', 'name', 'url'].map(sourceField)).toEqual(['answer', 'title', 'url']);
});
