import type { WidgetConfig } from '../chat/widget-config.ts';
import { useWidget } from '../widget-context.ts';

export function EmptyState({ config }: { config: WidgetConfig }) {
  const { chat, cards, label } = useWidget();
  const { greeting, prompts, privacyUrl } = config.widget;
  return (
    <div class="empty">
      <p class="greeting" dir="auto">
        {greeting}
      </p>
      {chat.gated && cards && <cards.Form key={chat.epoch} />}
      {!chat.gated && prompts.length > 0 && (
        <ul class="prompts" aria-label={label('prompts')}>
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
        {label('honesty')}{' '}
        {privacyUrl && (
          <a href={privacyUrl} target="_blank" rel="noopener noreferrer">
            {label('privacy')}
          </a>
        )}
      </p>
    </div>
  );
}
