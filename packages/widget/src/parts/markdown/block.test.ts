import { expect, test } from 'vitest';
import { type Block, parseBlocks } from './block.ts';
import { readTable } from './read-table.ts';

const read = (source: string) => parseBlocks(source.split('\n'));
const paragraph = (text: string): Block => ({ type: 'paragraph', text });

test.each(['---', '***', '___', ' - -  -   ', '   * * *', '-- --'])('%j is a rule', (line) => {
  expect(read(line)).toEqual([{ type: 'rule' }]);
});

test.each(['--', '- -', '+++', '-*-', '- - x', '--\t-', '    ---', '_ _'])('%j is no rule', (line) => {
  expect(read(line)).not.toEqual([{ type: 'rule' }]);
});

test('a long line of quotes in quotes, and of items in items, is read', () => {
  for (const mark of ['> ', '- ', '* ']) {
    const [outer] = read(`${mark.repeat(100_000)}x`);
    expect(outer?.type).toBe(mark === '> ' ? 'quote' : 'list');
  }
});

test('headings, rules and paragraphs', () => {
  expect(read('# One\n\ntext\nmore\n\n---\n### Three ##')).toEqual([
    { type: 'heading', level: 1, text: 'One' },
    paragraph('text\nmore'),
    { type: 'rule' },
    { type: 'heading', level: 3, text: 'Three' },
  ]);
});

test('nested and task lists', () => {
  expect(read('1. one\n   - inner\n     deeper\n2. two\n\n- [x] done\n- [ ] open')).toEqual([
    {
      type: 'list',
      ordered: true,
      start: 1,
      items: [
        {
          checked: null,
          children: [
            paragraph('one'),
            {
              type: 'list',
              ordered: false,
              start: 1,
              items: [{ checked: null, children: [paragraph('inner\ndeeper')] }],
            },
          ],
        },
        { checked: null, children: [paragraph('two')] },
      ],
    },
    {
      type: 'list',
      ordered: false,
      start: 1,
      items: [
        { checked: true, children: [paragraph('done')] },
        { checked: false, children: [paragraph('open')] },
      ],
    },
  ]);
});

test('a list goes on after a blank line and keeps its number', () => {
  expect(read('3. three\n\n4. four')).toMatchObject([
    { type: 'list', ordered: true, start: 3, items: [{}, {}] },
  ]);
});

const table = (markdown: string) =>
  read(markdown).flatMap((each) => (each.type === 'table' ? readTable(each.lines) : []));

test('a table with alignment, escaped pipes and ragged rows', () => {
  expect(table('| a | b |\n|:--|--:|\n| 1 \\| 2 | 3 | 4 |\n| 5 |')).toEqual([
    {
      alignments: ['start', 'end'],
      header: ['a', 'b'],
      rows: [
        ['1 | 2', '3'],
        ['5', ''],
      ],
      more: 0,
    },
  ]);
});

test.each([
  [60, 50, 100],
  [4, 4, 500],
])('a table of %i columns and 600 rows shows %i columns and %i rows', (all, columns, rows) => {
  const row = `${'| x '.repeat(all)}|`;
  const delimiter = `${'|---'.repeat(all)}|`;
  const [shown] = table([row, delimiter, ...Array.from({ length: 600 }, () => row)].join('\n'));
  expect(shown).toMatchObject({ more: 600 - rows });
  expect([shown?.header.length, shown?.rows.length]).toEqual([columns, rows]);
});

test('fences keep their text and end where they are closed', () => {
  expect(read('```ts title\n  a < b\n\n```\nafter')).toEqual([
    { type: 'code', language: 'ts', text: '  a < b\n' },
    paragraph('after'),
  ]);
  expect(read('~~~\nopen')).toEqual([{ type: 'code', language: '', text: 'open' }]);
});

test('quotes hold blocks', () => {
  expect(read('> a\nlazy\n> - b')).toEqual([
    {
      type: 'quote',
      children: [
        paragraph('a\nlazy'),
        { type: 'list', ordered: false, start: 1, items: [{ checked: null, children: [paragraph('b')] }] },
      ],
    },
  ]);
});

test('raw HTML is text', () => {
  expect(read('<script>alert(1)</script>')).toEqual([paragraph('<script>alert(1)</script>')]);
});

test('nesting is capped', () => {
  const depth = (blocks: Block[]): number =>
    Math.max(0, ...blocks.map((block) => (block.type === 'quote' ? 1 + depth(block.children) : 0)));
  expect(depth(read(`${'>'.repeat(100)} deep`))).toBe(20);
});

test('a fence of code ends at no line that is as far in as code', () => {
  for (const indent of ['    ', '\t', ' \t'])
    expect(read(`~~~\n${indent}~~~\nstill\n~~~\nout`)).toEqual([
      { type: 'code', language: '', text: `${indent}~~~\nstill` },
      paragraph('out'),
    ]);
});
