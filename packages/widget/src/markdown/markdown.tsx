import type { ComponentChildren } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { labels } from '../labels.ts';
import { type Block, parseBlocks } from './block.ts';
import { CopyButton } from './copy-button.tsx';
import { holdBack } from './hold-back.ts';
import { type Inline, parseInline, plainText } from './inline.ts';
import { RemoteImage } from './remote-image.tsx';
import { disguisedHost } from './safe-url.ts';
import { type Split, splitBlocks } from './split.ts';

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

/** The same vnode for the same source: preact then leaves its part of the tree alone. */
function Settled({ source, open }: { source: string; open: boolean }) {
  return useMemo(
    () => <>{blocks(parseBlocks((open ? holdBack(source) : source).split('\n')), open)}</>,
    [source, open],
  );
}

function blocks(list: Block[], open: boolean): ComponentChildren {
  return list.map((each, index) => block(each, open && index === list.length - 1));
}

function block(node: Block, open: boolean): ComponentChildren {
  switch (node.type) {
    case 'paragraph':
      return <p dir="auto">{inline(node.text, open)}</p>;
    case 'heading': {
      // The panel's own title is the second level: an answer's headings begin under it.
      const Tag = `h${Math.min(node.level + 2, 6)}` as 'h3';
      return (
        <Tag dir="auto" class={`heading-${Math.min(node.level, 3)}`}>
          {inline(node.text, open)}
        </Tag>
      );
    }
    case 'code':
      return (
        <div class="code">
          <div class="code-head">
            <span>{node.language || labels.code}</span>
            <CopyButton text={node.text} />
          </div>
          <pre dir="ltr" tabIndex={0}>
            <code>{node.text}</code>
          </pre>
        </div>
      );
    case 'quote':
      return <blockquote>{blocks(node.children, open)}</blockquote>;
    case 'list': {
      const items = node.items.map((item, index) => (
        <li class={item.checked === null ? undefined : 'task'}>
          {item.checked === null ? null : (
            <input
              type="checkbox"
              checked={item.checked}
              disabled
              aria-label={item.checked ? labels.done : labels.toDo}
            />
          )}
          <div>{blocks(item.children, open && index === node.items.length - 1)}</div>
        </li>
      ));
      return node.ordered ? <ol start={node.start}>{items}</ol> : <ul>{items}</ul>;
    }
    case 'table':
      return (
        <div class="table" role="region" aria-label={labels.table} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {node.header.map((cell, column) => (
                  <th scope="col" data-align={node.alignments[column]} dir="auto">
                    {inline(cell, false)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {node.rows.map((row, index) => (
                <tr>
                  {row.map((cell, column) => (
                    <td data-align={node.alignments[column]} dir="auto">
                      {inline(cell, open && index === node.rows.length - 1)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {node.more > 0 && <p class="meta">{labels.moreRows(node.more)}</p>}
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
        return <strong>{nodes(node.children, open)}</strong>;
      case 'emphasis':
        return <em>{nodes(node.children, open)}</em>;
      case 'strike':
        return <s>{nodes(node.children, open)}</s>;
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
