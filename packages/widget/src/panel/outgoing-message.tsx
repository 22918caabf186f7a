import type { Chat, Outgoing } from '../chat/chat-model.ts';
import { labels } from '../labels.ts';
import { errorText } from './error-text.ts';
import { UserBubble } from './user-bubble.tsx';

export function OutgoingMessage({
  chat,
  message,
  queued,
}: {
  chat: Chat;
  message: Outgoing;
  queued: boolean;
}) {
  const { id, state, text } = message;
  return (
    <UserBubble text={text} pending={state.kind !== 'failed'}>
      {state.kind === 'failed' ? (
        <div class="unsent" role="alert">
          <p class="card-error">
            {labels.notSent}. {errorText(state.error)}
          </p>
          <button type="button" class="button small" onClick={() => chat.retry(id)}>
            {labels.retry}
          </button>
          <button type="button" class="button small" onClick={() => chat.discard(id)}>
            {labels.discard}
          </button>
        </div>
      ) : (
        <p class="meta">{queued ? labels.queued : labels.sending}</p>
      )}
    </UserBubble>
  );
}
