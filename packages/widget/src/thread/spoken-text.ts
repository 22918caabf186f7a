import { type Block, parseBlocks } from '../parts/markdown/block.ts';
import { type Inline, parseInline, plainText } from '../parts/markdown/inline.ts';

/** Markdown as somebody would read it out: without its marks, and without the addresses behind its links. */
export const spokenText = (markdown: string): string => blocks(parseBlocks(markdown.split('\n')));

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
    case 'table':
      return [node.header, ...node.rows].map((row) => row.map(inline).join(', ')).join('\n');
    case 'rule':
      return '';
  }
}

const inline = (text: string): string => plainText(parseInline(text).map(named));

/** An address that stands for itself is named by its host. */
function named(node: Inline): Inline {
  if (!('children' in node)) return node;
  const bare = node.type === 'link' && node.url && /^(https?:\/\/|www\.)/.test(plainText(node.children));
  return bare ? { type: 'text', text: node.url!.host } : { ...node, children: node.children.map(named) };
}
