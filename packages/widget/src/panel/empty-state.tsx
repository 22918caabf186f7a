import type { Chat } from '../chat/chat-model.ts';
import type { WidgetConfig } from '../chat/widget-config.ts';
import { labels } from '../labels.ts';

export function EmptyState({ chat, config }: { chat: Chat; config: WidgetConfig }) {
  const { greeting, prompts, privacyUrl } = config.widget;
  return (
    <div class="empty">
      <p class="greeting" dir="auto">
        {greeting}
      </p>
      {prompts.length > 0 && (
        <ul class="prompts" aria-label={labels.prompts}>
          {prompts.map((prompt) => (
            <li key={prompt}>
              <button type="button" class="prompt" dir="auto" onClick={() => chat.send(prompt)}>
                {prompt}
              </button>
            </li>
          ))}
        </ul>
      )}
      <p class="meta">
        {labels.honesty}{' '}
        {privacyUrl && (
          <a href={privacyUrl} target="_blank" rel="noopener noreferrer">
            {labels.privacy}
          </a>
        )}
      </p>
    </div>
  );
}
