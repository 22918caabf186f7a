import { isPassing } from '@parley/client/error';
import type { OutboxMessage } from '@parley/conversation';
import { useAttachments } from '../attachments/use-attachments.ts';
import { errorText } from '../ui/error-text.ts';
import { useSignal } from '../ui/use-signal.ts';
import { useWidget } from '../widget-context.ts';
import { Countdown } from './countdown.tsx';

/** What becomes of a message that the log does not show yet: why it was not sent, and what can be done about it. */
export function Unsent({ message }: { message: OutboxMessage }) {
  const { id, state, parts } = message;
  const { conversation, label, locale } = useWidget();
  const attachments = useAttachments(parts !== undefined);
  const online = useSignal(conversation.online);
  const { status } = useSignal(conversation.transcript);
  const error = state.kind === 'failed' ? state.error : null;
  const action = (name: 'retry' | 'edit' | 'discard', act: () => void) => (
    <button type="button" class="button small" onClick={act}>
      {label(name)}
    </button>
  );
  // It is sent by itself, as the notice says.
  const waits = !online && (!error || (isPassing(error) && error.retryAfter === undefined));
  if (waits || state.kind !== 'failed')
    return (
      <div class="unsent">
        <p class="meta">{label(waits ? 'offlineMessage' : status === 'working' ? 'queued' : 'sending')}</p>
        {error && action('discard', () => conversation.discard(id))}
      </div>
    );
  const { at } = state;
  return (
    <div class="unsent">
      <p class="problem">
        {/* The past alerts nobody, and a countdown would be told at each second. */}
        <span role={at > 0 ? 'alert' : undefined}>
          {label('notSent')}.{' '}
          {attachments?.problemText(state.error, { label, locale }) ??
            state.error.notice ??
            errorText(state.error.code, label)}
        </span>{' '}
        {state.error.retryAfter !== undefined && <Countdown until={at + state.error.retryAfter * 1_000} />}
      </p>
      {status !== 'ended' && action('retry', () => conversation.retry(id))}
      {status !== 'ended' && attachments && action('edit', () => conversation.edit(id))}
      {action('discard', () => conversation.discard(id))}
    </div>
  );
}
