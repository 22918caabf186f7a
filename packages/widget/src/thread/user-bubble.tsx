import type { MessagePart } from '@parley/protocol/event';
import { typedText } from '@parley/conversation';
import type { ComponentChildren } from 'preact';
import { Slot } from '../ui/slot.tsx';
import { useWidget } from '../widget-context.ts';

/** A message as the log has it; its text names the files too. */
type Message = { text: string; parts?: readonly MessagePart[] | undefined };

type Props = Message & {
  at: number | string;
  unsent?: { id: string; at: number };
  children?: ComponentChildren;
};

export function UserBubble({ text, parts, at, unsent, children }: Props) {
  const { label } = useWidget();
  const files = parts?.filter((part) => part.type === 'file') ?? [];
  const typed = typedText({ text, parts });
  return (
    <div class="user">
      <div class={typed ? 'bubble' : 'hidden'}>
        <bdi class="hidden">{label('you')}: </bdi>
        <div dir="auto">{typed}</div>
        <Slot name="BubbleEnd" at={at} text={typed} />
      </div>
      {files.length > 0 && <Slot name="SentFiles" files={files} unsent={unsent} />}
      {children}
    </div>
  );
}
