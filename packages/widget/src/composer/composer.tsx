import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { WidgetConfig } from '@parley/conversation';
import { Slot } from '../ui/slot.tsx';
import { useSignal } from '../ui/use-signal.ts';
import { useWidget } from '../widget-context.ts';
import { Icon } from '../ui/icon.tsx';
import { isComposing } from '../ui/is-composing.ts';
import { IconButton } from '../ui/icon-button.tsx';

const longest = 20_000;
const warnFrom = 19_000;

type Props = { field: RefObject<HTMLTextAreaElement | null>; config: WidgetConfig };

export function Composer({ field, config }: Props) {
  const { conversation, label } = useWidget();
  const { text: draft, files, adding } = useSignal(conversation.draft.state);
  const busy = useSignal(conversation.busy);
  const text = draft.trim();
  // oxlint-disable-next-line no-misused-spread -- the service counts code points too
  const left = longest - (draft.length < warnFrom ? draft.length : [...text].length);
  const something = text !== '' || files.length > 0;
  const sendable = something && left >= 0 && adding === 0;

  const fit = () => {
    const element = field.current;
    element?.style.setProperty('block-size', 'auto');
    // A closed panel has no height to measure.
    if (element?.scrollHeight) element.style.setProperty('block-size', `${element.scrollHeight}px`);
  };
  useLayoutEffect(fit, [draft]);
  useEffect(() => {
    // Opened or made narrow. In the next frame: the browser reports an error to the page where one resizes what it observes.
    const resized = new ResizeObserver(() => requestAnimationFrame(fit));
    resized.observe(field.current!);
    return () => resized.disconnect();
  }, []);

  const submit = (event: Event) => {
    event.preventDefault();
    if (!sendable || !conversation.send(text, files)) return;
    conversation.draft.change({ text: '', files: [], problem: null });
    field.current?.focus({ preventScroll: true });
  };

  return (
    <form class="composer" onSubmit={submit}>
      <div class="composer-box">
        <Slot name="Attached" />
        <textarea
          ref={field}
          rows={1}
          dir={draft === '' ? undefined : 'auto'}
          aria-label={label('message')}
          placeholder={label(busy ? 'placeholderBusy' : 'placeholder')}
          enterkeyhint="send"
          value={draft}
          onInput={(event) => conversation.draft.change({ text: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey && !isComposing(event)) submit(event);
          }}
        />
        {config.files?.types.length > 0 && <Slot name="AttachButton" policy={config.files} />}
        {busy && <Slot name="Stop" />}
        {(!busy || something) && (
          <IconButton type="submit" name={label(busy ? 'queue' : 'send')} look="accent" disabled={!sendable}>
            <Icon name="send" />
          </IconButton>
        )}
      </div>
      {left <= longest - warnFrom && <Slot name="CharactersLeft" count={left} />}
    </form>
  );
}
