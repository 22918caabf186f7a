import { ParleyError } from '@parley/client/error';
import { inLanguage, type Setup, type WidgetConfig } from '@parley/conversation';
import type { ReadonlySignal } from '@preact/signals-core';
import type { RefObject } from 'preact';
import { useMemo } from 'preact/hooks';
import { Slot } from '../ui/slot.tsx';
import { useSignal } from '../ui/use-signal.ts';
import { type Face, useWidget, type Widget, WidgetContext } from '../widget-context.ts';
import { Composer } from '../composer/composer.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Header } from './header.tsx';
import { Log } from '../thread/log.tsx';

export type PanelState = Pick<Widget, 'labels' | 'pageTools' | 'cards' | 'locale'> & {
  setup: Setup;
};

type Props = Pick<Widget, 'conversation' | 'listing' | 'arrival'> & {
  panel: ReadonlySignal<PanelState>;
  /** Until the agent's own is known. */
  early: Face;
  field: RefObject<HTMLTextAreaElement | null>;
  onClose: (() => void) | null;
  /** It could not be drawn. */
  onBroken: (error: ParleyError) => void;
};

export function PanelView({ conversation, listing, arrival, panel, early, field, onClose, onBroken }: Props) {
  const { setup, labels, pageTools, cards, locale } = useSignal(panel);
  const config = setup.kind === 'ready' ? setup.config : undefined;
  const widget = useMemo(
    () => ({
      conversation,
      listing,
      arrival,
      tools: config?.tools,
      pageTools,
      labels,
      cards,
      locale,
      face: { ...early, ...(config && inLanguage(config.widget, locale)) },
    }),
    [config, pageTools, labels, cards, locale],
  );
  return (
    <WidgetContext.Provider value={widget}>
      {setup.kind === 'ready' ? (
        <ErrorBoundary
          failed={(cause) => {
            console.error(cause);
            onBroken(
              new ParleyError('PROTOCOL', `The conversation could not be drawn: ${String(cause)}`, { cause }),
            );
          }}
          instead={(again) => (
            <>
              <Header onClose={onClose} />
              <div class="scroll-area" />
              <Slot name="Broken" again={again} />
            </>
          )}
        >
          <Conversation config={setup.config} field={field} onClose={onClose} />
        </ErrorBoundary>
      ) : (
        <>
          <Header onClose={onClose} />
          <div class="scroll-area setup">
            {setup.kind === 'failed' && <Slot name="SetupNotice" {...setup} />}
          </div>
          {!cards && <Incomplete />}
        </>
      )}
    </WidgetContext.Provider>
  );
}

type ConversationProps = Pick<Props, 'field' | 'onClose'> & {
  config: WidgetConfig;
};

function Conversation({ config, field, onClose }: ConversationProps) {
  const { conversation, listing } = useWidget();
  const isListing = useSignal(listing);
  const preChat = useSignal(conversation.preChat);
  const failure = useSignal(conversation.failure);
  const { status } = useSignal(conversation.transcript);
  if (isListing)
    return (
      <>
        <Header onClose={onClose} />
        <Slot name="ConversationList" />
      </>
    );
  return (
    <>
      <Header onClose={onClose} />
      <Log />
      <Slot name="Notice" instead={<Incomplete />} />
      {status !== 'ended' && !failure && !preChat && <Composer field={field} config={config} />}
    </>
  );
}

/** While what tells more does not come. */
function Incomplete() {
  const { conversation, label } = useWidget();
  return (
    useSignal(conversation.incomplete) && (
      <p class="notice" role="status">
        {label('reconnecting')}
      </p>
    )
  );
}
