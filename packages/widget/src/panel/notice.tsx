import type { ParleyError } from '@parley/client/error';
import { Icon } from '../icon.tsx';
import { useWidget } from '../widget-context.ts';
import { errorText } from './error-text.ts';

/** The one thing a visitor should know about the connection or the conversation, if there is one. */
export function Notice() {
  const { chat, label } = useWidget();
  const { failure, transcript, online, reconnecting } = chat.state;
  if (failure || transcript.status === 'ended')
    return (
      <Line
        text={failure ? errorText(failure.code, label) : label('ended')}
        action={label('newConversation')}
        onAction={() => chat.startNew()}
      />
    );
  if (!online) return <Line text={label('offline')} />;
  return reconnecting && <Line text={label('reconnecting')} />;
}

const temporary = new Set<string>(['NETWORK', 'PROTOCOL', 'RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL']);

/** Why the widget cannot run here; what may pass can be tried again. */
export function SetupNotice({ error, onRetry }: { error: ParleyError; onRetry: () => void }) {
  const { label } = useWidget();
  const retry = temporary.has(error.code) && { action: label('retry'), onAction: onRetry };
  return <Line text={errorText(error.code, label)} {...retry} />;
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
