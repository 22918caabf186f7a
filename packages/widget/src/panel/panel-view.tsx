import type { ParleyError } from '@parley/client/error';
import type { ReadonlySignal } from '@preact/signals';
import type { RefObject } from 'preact';
import type { Chat } from '../chat/chat-model.ts';
import type { WidgetConfig } from '../chat/widget-config.ts';
import { Composer } from './composer.tsx';
import { Header } from './header.tsx';
import { Log } from './log.tsx';
import { Notice, SetupNotice } from './notice.tsx';

export type Setup =
  | { kind: 'loading' }
  | { kind: 'ready'; config: WidgetConfig; chat: Chat }
  | { kind: 'failed'; error: ParleyError };

type Props = {
  setup: ReadonlySignal<Setup>;
  fallbackName: string;
  field: RefObject<HTMLTextAreaElement | null>;
  onRetry: () => void;
  onClose: (() => void) | null;
};

export function PanelView({ setup, fallbackName, field, onRetry, onClose }: Props) {
  const { value } = setup;
  if (value.kind !== 'ready') {
    return (
      <>
        <Header chat={null} name={fallbackName} titleId="title" onClose={onClose} />
        <div class="scroll-area" />
        {value.kind === 'failed' && <SetupNotice error={value.error} onRetry={onRetry} />}
      </>
    );
  }
  const { chat, config } = value;
  const closed = chat.transcript.value.status === 'ended' || chat.failure.value !== null;
  return (
    <>
      <Header chat={chat} name={config.widget.name} titleId="title" onClose={onClose} />
      <Log chat={chat} config={config} />
      <Notice chat={chat} />
      {!closed && <Composer chat={chat} field={field} />}
    </>
  );
}
