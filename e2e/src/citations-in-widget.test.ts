import fc from 'fast-check';
import { expect, test } from 'vitest';
// oxlint-disable-next-line eslint/no-restricted-imports -- what one judges the other shows, and nothing else sees both
import { Citations } from '../../apps/server/src/turn/citations.ts';
import { type Block, parseBlocks } from '../../packages/widget/src/parts/markdown/block.ts';

/** The same texts in every run. */
const seed = 1;

/** What the widget shows of a text that is not code. */
function shown(blocks: readonly Block[]): string {
  return blocks
    .map((block) => {
      if (block.type === 'code' || block.type === 'rule') return '';
      if (block.type === 'list') return block.items.map(({ children }) => shown(children)).join('|');
      if (block.type === 'quote') return shown(block.children);
      return block.type === 'table' ? block.lines.join('\n') : block.text;
    })
    .join('|');
}

test('what the service takes for code is code for the widget', () => {
  const piece = fc.constantFrom(
    '~~~\n',
    '~~~\n',
    '~~~~\n',
    '~~~`\n',
    '~~~x\n',
    ' ',
    '  ',
    '   ',
    '    ',
    '\t',
    '\n',
    '\n',
    '> ',
    '- ',
    '- a\n',
    '1. b\n',
    '10. ',
    '-\n',
    '-\t',
    'so [7]\n',
    '[7]\n',
    'a\n',
    '# a\n',
    '[r]:\n',
    '---\n',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const citations = new Citations(new Map());
      const passed = citations.push(pieces.join('')) + citations.end();
      expect(shown(parseBlocks(passed.split('\n')))).not.toContain('[7]');
    }),
    { seed, numRuns: 20_000 },
  );
});
