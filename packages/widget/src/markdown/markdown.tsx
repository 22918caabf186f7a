import { type ComponentChildren, h } from 'preact';
import { useRef } from 'preact/hooks';
import { RemoteImage } from '../cards/remote-image.tsx';
import { CodeBlock } from '../code/code-block.tsx';
import { drawOnce } from '../draw-once.ts';
import { type Block, parseBlocks } from './block.ts';
import { holdBack } from './hold-back.ts';
import { type Inline, parseInline, plainText } from './inline.ts';
import { disguisedHost } from './safe-url.ts';
import { type Split, splitBlocks } from './split.ts';
import { useWidget } from '../widget-context.ts';

/** Markdown as vnodes, never as HTML. While `open`, the text still grows and only its last block is read again. */
export function Markdown({ text, open }: { text: string; open: boolean }) {
  const known = useRef<Split>(undefined);
  const split = splitBlocks(text, open ? known.current : undefined);
  known.current = split;
  const last = split.pieces.length - 1;
  return (
    <div class="markdown">
      {split.pieces.map(({ source }, index) => (
        <Settled key={index} source={source} open={open && index === last} />
      ))}
    </div>
  );
}

/** Read once for the same source. */
const Settled = drawOnce(
  ({ source, open }: { source: string; open: boolean }) => {
    const { label } = useWidget();
    return (
      <div dir="auto">{blocks(parseBlocks((open ? holdBack(source) : source).split('\n')), open, label)}</div>
    );
  },
  (before, now) => before.source === now.source && before.open === now.open,
);

type Label = ReturnType<typeof useWidget>['label'];

function blocks(list: Block[], open: boolean, label: Label): ComponentChildren {
  return list.map((each, index) => block(each, open && index === list.length - 1, label));
}

function block(node: Block, open: boolean, label: Label): ComponentChildren {
  switch (node.type) {
    case 'paragraph':
      return <p>{inline(node.text, open)}</p>;
    case 'heading': {
      // The panel's own title is the second level. An answer may begin with any of its own, and must not skip one here.
      const Tag = node.level < 4 ? 'h3' : 'h4';
      return <Tag class={`heading-${Math.min(node.level, 3)}`}>{inline(node.text, open)}</Tag>;
    }
    case 'code':
      return <CodeBlock text={node.text} language={node.language} open={open} />;
    case 'quote':
      return <blockquote>{blocks(node.children, open, label)}</blockquote>;
    case 'list': {
      const items = node.items.map((item, index) => (
        <li class={item.checked === null ? undefined : 'task'}>
          {item.checked === null ? null : (
            <input
              type="checkbox"
              checked={item.checked}
              disabled
              aria-label={label(item.checked ? 'done' : 'toDo')}
            />
          )}
          <div>{blocks(item.children, open && index === node.items.length - 1, label)}</div>
        </li>
      ));
      return node.ordered ? <ol start={node.start}>{items}</ol> : <ul>{items}</ul>;
    }
    case 'table':
      return (
        <div class="table" role="region" aria-label={label('table')} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {node.header.map((cell, column) => (
                  <th scope="col" data-align={node.alignments[column]}>
                    {inline(cell, false)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {node.rows.map((row, index) => (
                <tr>
                  {row.map((cell, column) => (
                    <td data-align={node.alignments[column]}>
                      {inline(cell, open && index === node.rows.length - 1)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {node.more > 0 && <p class="meta">{label('moreRows', { count: node.more })}</p>}
        </div>
      );
    case 'rule':
      return <hr />;
  }
}

function inline(text: string, open: boolean): ComponentChildren {
  return nodes(parseInline(text, open), open);
}

function nodes(list: Inline[], open: boolean): ComponentChildren {
  return list.map((node) => {
    switch (node.type) {
      case 'text':
        return node.text;
      case 'code':
        return <code>{node.text}</code>;
      case 'break':
        return <br />;
      case 'strong':
      case 'em':
      case 's':
        return h(node.type, null, nodes(node.children, open));
      case 'image':
        return <RemoteImage url={node.url} alt={node.alt} open={open} />;
      case 'link': {
        const children = nodes(node.children, open);
        if (node.url === null) return <span>{children}</span>;
        const host = disguisedHost(plainText(node.children), node.url);
        return (
          <>
            <a
              href={node.url.href}
              target="_blank"
              rel="noopener noreferrer nofollow ugc"
              title={node.url.href}
            >
              {children}
            </a>
            {host !== null && <span class="meta"> ({host})</span>}
          </>
        );
      }
    }
  });
}
