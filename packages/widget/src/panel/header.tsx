import type { Chat } from '../chat/chat-model.ts';
import { Icon } from '../icon.tsx';
import { labels } from '../labels.ts';

type Props = { chat: Chat | null; name: string; titleId: string; onClose: (() => void) | null };

export function Header({ chat, name, titleId, onClose }: Props) {
  const started = chat !== null && (chat.transcript.value.turns.length > 0 || chat.outbox.value.length > 0);
  const asked = chat !== null && chat.transcript.value.requests.length > 0;
  const status = asked ? labels.needsYou : chat?.busy.value ? labels.answering : null;
  return (
    <header class="header">
      <div class="title">
        <h2 id={titleId}>
          <bdi>{name}</bdi>
        </h2>
        <p class="meta">
          {labels.assistant}
          {status && ` · ${status}`}
        </p>
      </div>
      {started && (
        <button
          type="button"
          class="round quiet"
          aria-label={labels.newConversation}
          title={labels.newConversation}
          onClick={chat.startNew}
        >
          <Icon name="compose" />
        </button>
      )}
      {onClose && (
        <button
          type="button"
          class="round quiet"
          aria-label={labels.close}
          title={labels.close}
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      )}
    </header>
  );
}
