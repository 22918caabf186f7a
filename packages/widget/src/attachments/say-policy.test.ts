import { expect, test } from 'vitest';
import { cardLabels } from '../i18n/card-labels.ts';
import { fill, labels, type Words } from '../i18n/labels.ts';
import { formatSize } from './format-size.ts';
import { sayKinds, sayNames, saySize } from './say-policy.ts';

const words: Words = {
  label: (name, values = {}) => fill({ ...labels, ...cardLabels }[name], values),
  locale: 'en',
};
const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

test.each([
  [['image/*', 'application/pdf', 'text/*', 'application/json'], 'images, PDF, text files, and JSON'],
  [['image/png', 'image/svg+xml', 'application/x-tar'], 'PNG, SVG, and TAR'],
  [['application/msword', sheet], 'DOC and XLSX'],
  [['audio/*', 'video/*'], 'audio and videos'],
])('what an agent takes is said in words: %j', (types, said) => {
  expect(sayKinds(types, words)).toBe(`You can send ${said}.`);
});

test('an agent that takes nothing says so', () => {
  expect(sayKinds([], words)).toBe('The assistant takes no files.');
});

test.each([
  [1, '1 byte'],
  [1_000, '1,000 bytes'],
  [48_000, '47 kB'],
  [1_048_575, '1 MB'],
  [1_572_864, '1.5 MB'],
  [10_485_760, '10 MB'],
])('%i bytes are %s', (bytes, said) => {
  expect(formatSize(bytes, 'en')).toBe(said);
});

test('a limit is told in the language of the visitor', () => {
  expect(saySize(1_572_864, { ...words, locale: 'de' })).toBe('Files can be at most 1,5 MB in total.');
});

test('a name cannot pass for another one, nor turn what is around it', () => {
  expect(sayNames('notAccepted', ['photo\u202Egnp.exe'], words)).toContain('photognp.exe');
  expect(sayNames('notAccepted', ['\u2067a.exe'], words)).toBe('Not accepted: \u2068a.exe\u2069.');
});

test('of many names a few are said', () => {
  expect(sayNames('notAccepted', ['a', 'b', 'c', 'd', 'e'], words).replaceAll(/[\u2068\u2069]/g, '')).toBe(
    'Not accepted: a, b, c, and ….',
  );
});
