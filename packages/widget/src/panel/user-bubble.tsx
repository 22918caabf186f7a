import type { ComponentChildren } from 'preact';
import { labels } from '../labels.ts';

type Props = { text: string; at?: string; pending?: boolean; children?: ComponentChildren };

export function UserBubble({ text, at, pending = false, children }: Props) {
  const date = at ? new Date(at) : null;
  return (
    <div class="user">
      <div class="user-line">
        {date && (
          <time class="meta time" dateTime={date.toISOString()}>
            {date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}
          </time>
        )}
        <div class="bubble" dir="auto" data-pending={pending || undefined}>
          <span class="hidden">{labels.you}: </span>
          {text}
        </div>
      </div>
      {children}
    </div>
  );
}
