import { ParleyError } from '@parley/client/error';
import type { RefObject } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Chat } from '../chat/chat-model.ts';
import type { Store } from '../chat/store.ts';
import { useStore } from '../chat/use-store.ts';
import type { WidgetConfig } from '../chat/widget-config.ts';
import { useWidget, type Widget, WidgetContext } from '../widget-context.ts';
import { Composer } from './composer.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Header } from './header.tsx';
import { Log } from './log.tsx';
import { NoticeLine } from './notice-line.tsx';
import { SetupNotice } from './setup-notice.tsx';

export type PanelState = Pick<Widget, 'labels' | 'answers' | 'cards' | 'locale'> & {
  /** A later part could not be loaded so far. */
  incomplete: boolean;
  setup:
    | { kind: 'loading' }
    | { kind: 'ready'; config: WidgetConfig; chat: Chat }
    | { kind: 'failed'; error: ParleyError };
};

type Props = {
  panel: Store<PanelState>;
  fallbackName: string;
  field: RefObject<HTMLTextAreaElement | null>;
  onRetry: () => void;
  onClose: (() => void) | null;
  /** It could not be drawn. */
  onBroken: (error: ParleyError) => void;
};

export function PanelView({ panel, fallbackName, field, onRetry, onClose, onBroken }: Props) {
  const { setup, labels, incomplete, answers, cards, locale } = useStore(panel);
  const chat = setup.kind === 'ready' ? setup.chat : null;
  const widget = useMemo(
    () => ({ chat, labels, answers, cards, locale }),
    [chat, labels, answers, cards, locale],
  );
  return (
    <WidgetContext.Provider value={widget}>
      {setup.kind === 'ready' ? (
        <ErrorBoundary
          failed={(cause) => {
            console.error(cause);
            onBroken(new ParleyError('PROTOCOL', `The chat could not be drawn: ${String(cause)}`, { cause }));
          }}
          instead={(again) => (
            <>
              <Header name={setup.config.widget.name} onClose={onClose} />
              <div class="scroll-area" />
              <NoticeLine
                text={labels.errorOther ?? ''}
                action={labels.reload!}
                onAction={() => {
                  // From its beginning, by the log: what was wrong may have been wrong here only.
                  setup.chat.follow(setup.chat.state.session);
                  again();
                }}
              />
            </>
          )}
        >
          <Conversation {...setup} incomplete={incomplete} field={field} onClose={onClose} />
        </ErrorBoundary>
      ) : (
        <>
          <Header name={fallbackName} onClose={onClose} />
          <div class="scroll-area" />
          {setup.kind === 'failed' && <SetupNotice error={setup.error} onRetry={onRetry} />}
        </>
      )}
    </WidgetContext.Provider>
  );
}

type ConversationProps = Pick<Props, 'field' | 'onClose'> & {
  chat: Chat;
  config: WidgetConfig;
  incomplete: boolean;
};

function Conversation({ chat, config, incomplete, field, onClose }: ConversationProps) {
  const { transcript, failure, listing } = useStore(chat);
  const { cards, label } = useWidget();
  if (listing && cards)
    return (
      <>
        <Header name={config.widget.name} onClose={onClose} />
        <cards.ConversationList />
      </>
    );
  return (
    <>
      <Header name={config.widget.name} onClose={onClose} />
      <Log config={config} />
      {cards ? <cards.Notice /> : incomplete && <NoticeLine text={label('reconnecting')} />}
      {transcript.status !== 'ended' && !failure && !chat.gated && <Composer field={field} config={config} />}
    </>
  );
}
