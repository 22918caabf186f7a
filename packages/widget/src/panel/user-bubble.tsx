import type { ComponentChildren } from 'preact';
import { useWidget } from '../widget-context.ts';

type Props = { text: string; at: number | string; children?: ComponentChildren };

export function UserBubble({ text, at, children }: Props) {
  const { label, locale } = useWidget();
  const date = new Date(at);
  return (
    <div class="user">
      <div class="bubble" dir="auto">
        <span class="hidden">{label('you')}: </span>
        {text}
        {date.getTime() > 0 && (
          <time class="meta time" dateTime={date.toISOString()}>
            {date.toLocaleTimeString(locale, { timeStyle: 'short' })}
          </time>
        )}
      </div>
      {children}
    </div>
  );
}
