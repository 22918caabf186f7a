import type { MessagePart } from '@parley/protocol/event';
import type { ComponentChildren } from 'preact';
import { useWidget } from '../widget-context.ts';
import { timeFormat } from './time-format.ts';

/** A message as the log has it; its text names the files too. */
type Message = { text: string; parts?: readonly MessagePart[] | undefined };

type Props = Message & {
  at: number | string;
  unsent?: { id: string; at: number };
  children?: ComponentChildren;
};

export function UserBubble({ text, parts, at, unsent, children }: Props) {
  const { cards, label, locale } = useWidget();
  const files = parts?.filter((part) => part.type === 'file') ?? [];
  const typed = typedText({ text, parts });
  const date = new Date(at);
  return (
    <div class="user">
      <div class={typed ? 'bubble' : 'hidden'} dir="auto">
        <span class="hidden">{label('you')}: </span>
        {typed}
        {date.getTime() > 0 && (
          <time class="meta time" dateTime={date.toISOString()}>
            {timeFormat(locale).format(date)}
          </time>
        )}
      </div>
      {cards && files.length > 0 && <cards.SentFiles files={files} unsent={unsent} />}
      {children}
    </div>
  );
}

/** What the visitor wrote. */
export const typedText = ({ text, parts }: Message): string =>
  parts?.some(({ type }) => type === 'file')
    ? parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n')
    : text;
