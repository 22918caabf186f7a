import type { Outgoing } from '../chat/chat-model.ts';
import { errorText } from '../panel/error-text.ts';
import { useWidget } from '../widget-context.ts';
import { Countdown } from './countdown.tsx';

/** Why a message was not sent, and what can be done about it. */
export function Unsent({ message: { id, state } }: { message: Outgoing }) {
  const { chat, label } = useWidget();
  if (state.kind !== 'failed') return null;
  const { error, at } = state;
  return (
    <div class="unsent" role="alert">
      <p class="problem">
        {label('notSent')}. {errorText(error.code, label)}{' '}
        {error.retryAfter !== undefined && (
          <Countdown until={at + error.retryAfter * 1_000} onEnd={() => chat.retry(id)} />
        )}
      </p>
      <button type="button" class="button small" onClick={() => chat.retry(id)}>
        {label('retry')}
      </button>
      <button type="button" class="button small" onClick={() => chat.discard(id)}>
        {label('discard')}
      </button>
    </div>
  );
}
