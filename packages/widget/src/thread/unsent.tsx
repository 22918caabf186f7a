import type { OutboxMessage } from '@parley/conversation';
import { useAttachments } from '../attachments/use-attachments.ts';
import { errorText } from '../ui/error-text.ts';
import { useWidget } from '../widget-context.ts';
import { Countdown } from './countdown.tsx';

/** Why a message was not sent, and what can be done about it. */
export function Unsent({ message }: { message: OutboxMessage }) {
  const { id, state, parts } = message;
  const { conversation, label, locale } = useWidget();
  const attachments = useAttachments(parts !== undefined);
  if (state.kind !== 'failed') return null;
  const { error, at } = state;
  const action = (name: 'retry' | 'edit' | 'discard', act: () => void) => (
    <button type="button" class="button small" onClick={act}>
      {label(name)}
    </button>
  );
  return (
    <div class="unsent">
      <p class="problem">
        {/* The past alerts nobody, and a countdown would be told at each second. */}
        <span role={at > 0 ? 'alert' : undefined}>
          {label('notSent')}.{' '}
          {attachments?.problemText(error, { label, locale }) ?? errorText(error.code, label)}
        </span>{' '}
        {error.retryAfter !== undefined && <Countdown until={at + error.retryAfter * 1_000} />}
      </p>
      {action('retry', () => conversation.retry(id))}
      {attachments && action('edit', () => conversation.edit(id))}
      {action('discard', () => conversation.discard(id))}
    </div>
  );
}
