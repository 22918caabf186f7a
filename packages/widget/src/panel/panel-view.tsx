import type { ParleyError } from '@parley/client/error';
import type { ReadonlySignal } from '@preact/signals';
import type { RefObject } from 'preact';
import type { Chat } from '../chat/chat-model.ts';
import type { WidgetConfig } from '../chat/widget-config.ts';
import { Announcer } from './announcer.tsx';
import { Composer } from './composer.tsx';
import { Header } from './header.tsx';
import { Log } from './log.tsx';
import { Notice } from './notice.tsx';

export type Setup =
  | { kind: 'loading' }
  | { kind: 'ready'; config: WidgetConfig }
  | { kind: 'failed'; error: ParleyError };

type Props = {
  chat: Chat;
  setup: ReadonlySignal<Setup>;
  fallbackName: string;
  field: RefObject<HTMLTextAreaElement | null>;
  onClose: (() => void) | null;
};

export function PanelView({ chat, setup, fallbackName, field, onClose }: Props) {
  const { value } = setup;
  const config = value.kind === 'ready' ? value.config : null;
  const name = config?.widget.name ?? fallbackName;
  const closed = chat.transcript.value.status === 'ended' || chat.failure.value !== null;
  return (
    <>
      <Header chat={chat} name={name} titleId="title" onClose={onClose} />
      <Log chat={chat} config={config} />
      <Notice chat={chat} setup={value.kind === 'failed' ? value.error : null} />
      {!closed && value.kind !== 'failed' && <Composer chat={chat} field={field} />}
      <Announcer chat={chat} />
    </>
  );
}
