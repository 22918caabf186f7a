import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { Chat } from '../chat/chat-model.ts';
import { Icon } from '../icon.tsx';
import { labels } from '../labels.ts';

const longest = 20_000;
const warnFrom = 19_000;

export function Composer({ chat, field }: { chat: Chat; field: RefObject<HTMLTextAreaElement | null> }) {
  const draft = useSignal('');
  const busy = chat.busy.value;
  const text = draft.value.trim();
  // oxlint-disable-next-line no-misused-spread -- the service counts code points too
  const length = [...text].length;
  const sendable = text !== '' && length <= longest;

  useLayoutEffect(() => {
    const element = field.current!;
    element.style.setProperty('block-size', 'auto');
    // A closed panel has no height to measure.
    if (element.scrollHeight > 0) element.style.setProperty('block-size', `${element.scrollHeight}px`);
  }, [draft.value]);

  const submit = () => {
    if (!sendable) return;
    chat.send(text);
    draft.value = '';
    field.current?.focus({ preventScroll: true });
  };

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div class="composer-box">
        <textarea
          ref={field}
          rows={1}
          dir={draft.value === '' ? undefined : 'auto'}
          aria-label={labels.message}
          placeholder={busy ? labels.placeholderBusy : labels.placeholder}
          enterkeyhint="send"
          value={draft.value}
          onInput={(event) => (draft.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            // Safari ends a composition before this event and tells it by the key code alone.
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
            event.preventDefault();
            submit();
          }}
        />
        {busy && (
          <button
            type="button"
            class="round"
            aria-label={labels.stop}
            title={labels.stop}
            disabled={chat.stopping.value || chat.transcript.value.status !== 'working'}
            onClick={() => void chat.stop()}
          >
            <Icon name="stop" />
          </button>
        )}
        {(!busy || text !== '') && (
          <button
            type="submit"
            class="round accent"
            aria-label={busy ? labels.queue : labels.send}
            title={busy ? labels.queue : labels.send}
            disabled={!sendable}
          >
            <Icon name="send" />
          </button>
        )}
      </div>
      {length > warnFrom && (
        <p class={length > longest ? 'card-error' : 'meta'} role="status">
          {labels.characters(longest - length)}
        </p>
      )}
    </form>
  );
}
