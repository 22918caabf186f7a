import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitPassages } from './split-passages.ts';

test('passages stand under their headings, and code has none', () => {
  const text = [
    'Before.',
    '# One',
    'First.\n\nSecond.',
    '## Two ##',
    '```\n# no heading\n\nstill code\n```',
    '### Three',
    '# Four',
    'Last.',
  ].join('\n');
  expect(splitPassages(text)).toEqual([
    { headings: [], text: 'Before.' },
    { headings: ['One'], text: 'First.\n\nSecond.' },
    { headings: ['One', 'Two'], text: '```\n# no heading\n\nstill code\n```' },
    { headings: ['Four'], text: 'Last.' },
  ]);
});

test('a heading is cut, whatever stands in its line', () => {
  const line = `# One${' '.repeat(1_000_000)}two`;
  expect(splitPassages(`${line}\nText.`)).toEqual([
    { headings: [expect.stringMatching(/^One/)], text: 'Text.' },
  ]);
});

test('a long paragraph is cut after a sentence, and in any script', () => {
  const sentence = 'This sentence is one of many that are said. ';
  for (const { text } of splitPassages(sentence.repeat(100))) expect(text).toMatch(/^This[^]*said\.$/);
  for (const { text } of splitPassages('これは長い文章です。'.repeat(400))) expect(text).toMatch(/。$/);
});

test('nothing is lost and no passage is long, whatever the text', () => {
  const piece = fc.oneof(
    fc.constantFrom('\n', '\n\n', '# ', '```', ' ', '. '),
    fc.string({ maxLength: 3_000 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join('').toWellFormed();
      const passages = splitPassages(text);
      for (const passage of passages) expect(passage.text.length).toBeLessThanOrEqual(2_400);
      const letters = (said: string) => said.replaceAll(/[\s#]/g, '');
      const kept = passages.map((passage) => letters(passage.text)).join('');
      const headings = text.split(/\r\n?|\n/).filter((line) => /^#{1,6}[ \t]+\S/.test(line));
      if (headings.length === 0) expect(kept).toBe(letters(text).replaceAll('\uFFFD', '\uFFFD'));
    }),
  );
});

test('a heading ends before the marks that close it, which no part of a word is', () => {
  const found = splitPassages('## Prices ## \n\nFrom ten.\n\n# #\n\nNone.\n\n# C#\n\nOf it.');
  expect(found.map(({ headings }) => headings.at(-1))).toEqual(['Prices', '#', 'C#']);
});
