import type { Source } from '@parley/protocol/event';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Citations, withoutInvented } from './citations.ts';

const sources = new Map<number, Source>(
  [1, 2, 12].map((number) => [number, { number, title: `Page ${number}` }]),
);
const cited = (text: string) => {
  const citations = new Citations(sources);
  const passed = citations.push(text) + citations.end();
  return { passed, cited: citations.cited.map(({ number }) => number) };
};

test.each([
  ['Bring milk [1]. And bread [12][2].', 'Bring milk [1]. And bread [12][2].', [1, 2, 12]],
  ['Bring milk [7].', 'Bring milk.', []],
  ['[9] first', ' first', []],
  ['Both [1, 3; 2]', 'Both [1, 2]', [1, 2]],
  ['None [3, 4], is it', 'None, is it', []],
  ['An address of its own [1](https://evil.example/) there', 'An address of its own [1] there', [1]],
  ['And invented [5](https://evil.example/)', 'And invented', []],
  ['Milk.[1]', 'Milk.[1]', [1]],
  ['`list[7]` is code', '`list[7]` is code', []],
  ['```\nlist[7]\n```\nand [7]', '```\nlist[7]\n```\nand', []],
  ['A lone ` and [7] here\nthen [7] there', 'A lone ` and [7] here\nthen there', []],
  [
    'A [link](https://a.example) and [x] and [] and [',
    'A [link](https://a.example) and [x] and [] and [',
    [],
  ],
  ['[7]: https://a.example', '[7]: https://a.example', []],
  ['As in [1]: so', 'As in [1]: so', [1]],
  ['Nothing.', 'Nothing.', []],
  ['Year [2026] and [1', 'Year [2026] and [1', []],
  ['Spaces  \n\n  stay ', 'Spaces  \n\n  stay ', []],
])('%j is passed on as %j', (text, passed, numbers) => {
  expect(cited(text)).toEqual({ passed, cited: numbers });
});

test('however a text is cut into pieces, the same is passed on, and no piece is an invented citation', () => {
  const piece = fc.constantFrom(
    'Milk ',
    '[1]',
    '[7]',
    ' [2, 9]',
    '[',
    ']',
    '`',
    '```\n',
    '\n',
    ' ',
    '(https://a.example)',
    '(',
    '1',
    ':',
    'ä',
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 14 }),
      fc.array(fc.nat(40), { maxLength: 8 }),
      (pieces, cuts) => {
        const text = pieces.join('');
        const places = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].sort((a, b) => a - b);
        const citations = new Citations(sources);
        let passed = '';
        let from = 0;
        for (const place of [...places, text.length]) {
          passed += citations.push(text.slice(from, place));
          from = place;
        }
        passed += citations.end();
        expect(passed).toBe(withoutInvented(text, sources));
        // What is code ends at the latest with its fence.
        if (!text.includes('`')) expect(passed).not.toMatch(/(?<!^\s*)\[(?:7|9)\](?!:)/m);
      },
    ),
    { numRuns: 2_000 },
  );
});
