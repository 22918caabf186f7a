import { type ComponentChildren, h } from 'preact';
import { useRef } from 'preact/hooks';
import { memo } from '../../ui/memo.ts';
import { type Block, parseBlocks } from './block.ts';
import { trimIncomplete } from './trim-incomplete.ts';
import { type Inline, plainText } from './assemble-inline.ts';
import { parseInline } from './inline.ts';
import { type Split, splitBlocks } from './split.ts';
import { Slot } from '../../ui/slot.tsx';
import { useWidget } from '../../widget-context.ts';

/** Markdown as vnodes, never as HTML. While `open`, the text still grows and only its last block is read again. */
export function Markdown({ text, open }: { text: string; open: boolean }) {
  const known = useRef<Split>(undefined);
  const grows = useRef(open).current;
  const split = splitBlocks(text, open ? known.current : undefined);
  known.current = split;
  const last = split.pieces.length - 1;
  return (
    <div class="markdown">
      {split.pieces.map(({ source }, index) => (
        <Settled key={index} source={source} open={open && index === last} grows={grows} />
      ))}
    </div>
  );
}

/** Read once for the same source. */
const Settled = memo(({ source, open, grows }: { source: string; open: boolean; grows: boolean }) => {
  const widget = { ...useWidget(), grows };
  return (
    <div dir="auto">
      {blocks(parseBlocks((open ? trimIncomplete(source) : source).split('\n')), open, widget)}
    </div>
  );
});

type Shared = Pick<ReturnType<typeof useWidget>, 'cards' | 'label'> & {
  /** It was still being written when it was first shown. */
  grows: boolean;
};

function blocks(list: Block[], open: boolean, widget: Shared): ComponentChildren {
  return list.map((each, index) => block(each, open && index === list.length - 1, widget));
}

function block(node: Block, open: boolean, widget: Shared): ComponentChildren {
  const { label } = widget;
  switch (node.type) {
    case 'paragraph':
      return <p>{inline(node.text, open, widget)}</p>;
    case 'heading': {
      // The panel's own title is the second level. An answer may begin with any of its own, and must not skip one here.
      const Tag = node.level < 4 ? 'h3' : 'h4';
      return <Tag class={`heading-${Math.min(node.level, 3)}`}>{inline(node.text, open, widget)}</Tag>;
    }
    case 'code':
      return (
        <Slot
          name="Code"
          text={node.text}
          language={node.language}
          open={open}
          instead={
            <pre class="code" dir="ltr" tabIndex={0}>
              <code>{node.text}</code>
            </pre>
          }
        />
      );
    case 'quote':
      return <blockquote>{blocks(node.children, open, widget)}</blockquote>;
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
          <div>{blocks(item.children, open && index === node.items.length - 1, widget)}</div>
        </li>
      ));
      return node.ordered ? <ol start={node.start}>{items}</ol> : <ul>{items}</ul>;
    }
    case 'table':
      return (
        <Slot
          name="Table"
          lines={node.lines}
          open={open}
          draw={(cell, grows) => inline(cell, grows, widget)}
        />
      );
    case 'rule':
      return <hr />;
  }
}

function inline(text: string, open: boolean, widget: Shared): ComponentChildren {
  const read = widget.cards?.readInline ?? parseInline;
  return nodes(read(text, open), open, widget);
}

function nodes(list: Inline[], open: boolean, widget: Shared): ComponentChildren {
  return list.map((node) => {
    switch (node.type) {
      case 'text':
        return widget.grows ? <Slot name="GrowingText" text={node.text} instead={node.text} /> : node.text;
      case 'code':
        return <code dir="ltr">{node.text}</code>;
      case 'break':
        return <br />;
      case 'strong':
      case 'em':
      case 's':
        return h(node.type, null, nodes(node.children, open, widget));
      case 'image':
        return (
          <Slot name="Image" destination={node.destination} alt={node.alt} open={open} instead={node.alt} />
        );
      case 'link': {
        const children = nodes(node.children, open, widget);
        // What tells where a link leads, and lets the page keep it from opening, comes with the cards.
        return (
          <Slot
            name="Link"
            destination={node.destination}
            text={plainText(node.children)}
            instead={<span>{children}</span>}
          >
            {children}
          </Slot>
        );
      }
    }
  });
}
