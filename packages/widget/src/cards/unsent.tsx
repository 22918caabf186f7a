import type { Outgoing } from '../chat/chat-state.ts';
import { useAttachments } from '../attachments/use-attachments.ts';
import { errorText } from '../panel/error-text.ts';
import { useWidget } from '../widget-context.ts';
import { Countdown } from './countdown.tsx';

/** Why a message was not sent, and what can be done about it. */
export function Unsent({ message }: { message: Outgoing }) {
  const { id, state, parts } = message;
  const { chat, label, locale } = useWidget();
  const attachments = useAttachments(parts !== undefined);
  if (state.kind !== 'failed') return null;
  const { error, at } = state;
  return (
    <div class="unsent" role="alert">
      <p class="problem">
        {label('notSent')}.{' '}
        {attachments?.problemText(error, { label, locale }) ?? errorText(error.code, label)}{' '}
        {error.retryAfter !== undefined && (
          <Countdown until={at + error.retryAfter * 1_000} onEnd={() => chat.retry(id)} />
        )}
      </p>
      <button type="button" class="button small" onClick={() => chat.retry(id)}>
        {label('retry')}
      </button>
      {attachments && (
        <button type="button" class="button small" onClick={() => void attachments.takeBack(chat, message)}>
          {label('edit')}
        </button>
      )}
      <button type="button" class="button small" onClick={() => chat.discard(id)}>
        {label('discard')}
      </button>
    </div>
  );
}
