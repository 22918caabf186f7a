import type { ParleyError } from '@parley/client/error';
import type { Chat } from '../chat/chat-model.ts';
import { Icon } from '../icon.tsx';
import { labels } from '../labels.ts';
import { errorText } from './error-text.ts';

/** The one thing a visitor should know about the connection or the conversation, if there is one. */
export function Notice({ chat }: { chat: Chat }) {
  const ended = chat.transcript.value.status === 'ended';
  const failure = chat.failure.value;
  if (failure)
    return <Line text={errorText(failure)} action={labels.newConversation} onAction={chat.startNew} />;
  if (ended) return <Line text={labels.ended} action={labels.newConversation} onAction={chat.startNew} />;
  if (!chat.online.value) return <Line text={labels.offline} />;
  if (chat.reconnecting.value) return <Line text={labels.reconnecting} />;
  return null;
}

const temporary = new Set<string>(['NETWORK', 'PROTOCOL', 'RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL']);

/** Why the widget cannot run here; what may pass can be tried again. */
export function SetupNotice({ error, onRetry }: { error: ParleyError; onRetry: () => void }) {
  const retry = temporary.has(error.code) && { action: labels.retry, onAction: onRetry };
  return <Line text={errorText(error)} {...retry} />;
}

function Line({ text, action, onAction }: { text: string; action?: string; onAction?: () => void }) {
  return (
    <div class="notice" role="status">
      <Icon name="alert" />
      <p>{text}</p>
      {action && (
        <button type="button" class="button small" onClick={onAction}>
          {action}
        </button>
      )}
    </div>
  );
}
