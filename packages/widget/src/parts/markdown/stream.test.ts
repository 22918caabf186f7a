import { expect, test } from 'vitest';
import { ownTime } from '../own-time.ts';
import { type Block, parseBlocks } from './block.ts';
import { trimIncomplete } from './trim-incomplete.ts';
import { plainText } from './assemble-inline.ts';
import { readInline } from './read-inline.ts';
import { readTable } from './read-table.ts';
import { maximumLength, type Split, splitBlocks } from './split.ts';

const document = `# Title

Some **bold *and nested* text** with \`code\`, a [link](https://example.com/path "t") and ~~old~~ words.

1. First
   - inner **bold**
2. Second

| Name | Price |
|:-----|------:|
| A    | 1.00  |
| B    | **2** |

\`\`\`js
const a = [1, 2];
\`\`\`

> A quote
> - with a list

- [x] done
- [ ] open

![picture](https://img.example/a.png) https://example.org/x_(y)
`;

const hostile = [
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '[a](javascript:alert(1)) ![b](data:text/html;base64,PHNjcmlwdD4=)',
  '[a]( javascript:alert(1) "x") <javascript:alert(1)> <a@b>',
  '![x](https://evil.example/?q=secret "t")[ref]: https://evil.example',
  '**a __b *c ~~d `e [f ![g](h',
  '| a | b |\n|---|\n|',
  '- \n-\n  - \n1.\n1)\n[ ]\n- [',
  '> > > > - - 1. # ## ` ``` ~~~\n```',
  '\u202e\u2066abc\u2069 e\u0301\u0301\u0301\u0301 \u{e0041}\u0000',
  '&#0;&#xD800;&#x110000;&lt;script&gt;&quot;',
  '\\\\\\[\\](\\)\\`*\\*_\\_',
  '\r\n\r\n\ttab\n    code?\r\nend\r',
  '~~~js\n`````\n~~~ x\n~~~',
  'a|b\n-|-\n\\|c|d\\|',
  '😀**😀**[😀](https://😀.example)',
];

/** Everything that would be shown, in order. */
function shown(source: string, open: boolean, known?: Split): { split: Split; text: string } {
  const split = splitBlocks(source, known);
  const last = split.pieces.length - 1;
  const text = split.pieces
    .map((piece, index) => {
      const growing = open && index === last;
      return blocksText(
        parseBlocks((growing ? trimIncomplete(piece.source) : piece.source).split('\n')),
        growing,
      );
    })
    .join('\n');
  return { split, text };
}

function blocksText(blocks: Block[], open: boolean): string {
  return blocks
    .map((block, index): string => {
      const growing = open && index === blocks.length - 1;
      switch (block.type) {
        case 'paragraph':
        case 'heading':
          return plainText(readInline(block.text, growing));
        case 'quote':
          return blocksText(block.children, growing);
        case 'list':
          return block.items
            .map((item, at) => blocksText(item.children, growing && at === block.items.length - 1))
            .join('\n');
        case 'table': {
          const { header, rows } = readTable(block.lines);
          return [header, ...rows]
            .flat()
            .map((cell) => plainText(readInline(cell, growing)))
            .join(' ');
        }
        case 'code':
          return '';
        case 'rule':
          return '';
      }
    })
    .join('\n');
}

test('while a document is written, no raw marker is ever shown', () => {
  let known: Split | undefined;
  for (let length = 1; length <= document.length; length++) {
    const { split, text } = shown(document.slice(0, length), true, known);
    known = split;
    expect(text, document.slice(Math.max(0, length - 30), length)).not.toMatch(
      /\*\*|\[|\]\(|\|\s*-|```|~~|!\[/,
    );
  }
});

test('following a stream ends with what reading the whole gives', () => {
  for (const source of [document, ...hostile]) {
    let known: Split | undefined;
    for (let length = 1; length <= source.length; length++)
      known = splitBlocks(source.slice(0, length), known);
    expect(
      splitBlocks(source, known)
        .pieces.map((piece) => piece.source)
        .join('\n'),
    ).toBe(
      splitBlocks(source)
        .pieces.map((piece) => piece.source)
        .join('\n'),
    );
  }
});

test.each(hostile)('hostile text %j is read at every length', (source) => {
  for (let length = 0; length <= source.length; length++) {
    shown(source.slice(0, length), true);
    shown(source.slice(0, length), false);
  }
});

test('an answer is shown up to its cap', () => {
  expect(splitBlocks('a'.repeat(maximumLength + 5)).source).toHaveLength(maximumLength);
});

const probes = [
  '**a**',
  '[',
  ']',
  '`a',
  '`'.repeat(3) + ' ',
  '*a_',
  '[a](',
  '[a](b "',
  '![',
  '>',
  '- ',
  '|a',
  '|a|\n|-|\n',
  '~~a',
  '<',
  '<a',
  '&',
  '&#1',
  '\\',
  'www.',
  'http://a(',
  '#',
  '# ',
  '1. ',
  '_*',
  '*'.repeat(7) + 'a',
  '\n',
  ' ',
  '~',
  '[[]]',
  '![](',
];

const tries = 4;

test.each(probes)('reading %j over and over takes linear time', (probe) => {
  const time = (count: number) => {
    const source = probe.repeat(count);
    return ownTime(() => {
      shown(source, true);
      shown(source, false);
    });
  };
  time(200);
  // Eight times the text: linear is 8, quadratic 64. The floor keeps clock noise out, another try collected garbage.
  const isLinear = () => time(8_000) / Math.max(time(1_000), 2) < 32;
  expect(Array.from({ length: tries }).some(isLinear)).toBe(true);
});

test('lines end as they do on every system', () => {
  const sources = ['a\n\nb', 'a\r\n\r\nb', 'a\r\rb'].map((text) =>
    splitBlocks(text).pieces.map(({ source }) => source),
  );
  expect(sources).toEqual([
    ['a', 'b'],
    ['a', 'b'],
    ['a', 'b'],
  ]);
});
