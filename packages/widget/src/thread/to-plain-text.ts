import { type Block, parseBlocks } from '../parts/markdown/block.ts';
import { type Inline, plainText } from '../parts/markdown/assemble-inline.ts';
import { readInline } from '../parts/markdown/read-inline.ts';
import { safeUrl } from '../parts/markdown/safe-url.ts';
import { readTable } from '../parts/markdown/read-table.ts';

/** Markdown as somebody would read it out: without its marks, and without the addresses behind its links. */
export const toPlainText = (markdown: string): string => blocks(parseBlocks(markdown.split('\n')));

const blocks = (list: readonly Block[]): string => list.map(block).filter(Boolean).join('\n');

function block(node: Block): string {
  switch (node.type) {
    case 'paragraph':
    case 'heading':
      return inline(node.text);
    case 'code':
      return node.text;
    case 'quote':
      return blocks(node.children);
    case 'list':
      return node.items.map(({ children }) => blocks(children)).join('\n');
    case 'table': {
      const { header, rows } = readTable(node.lines);
      return [header, ...rows].map((row) => row.map(inline).join(', ')).join('\n');
    }
    case 'rule':
      return '';
  }
}

const inline = (text: string): string => plainText(readInline(text).map(named));

/** An address that stands for itself is named by its host. */
function named(node: Inline): Inline {
  if (!('children' in node)) return node;
  const isBare = node.type === 'link' && /^(https?:\/\/|www\.)/.test(plainText(node.children));
  const url = isBare && safeUrl(node.destination ?? '');
  return url ? { type: 'text', text: url.host } : { ...node, children: node.children.map(named) };
}
