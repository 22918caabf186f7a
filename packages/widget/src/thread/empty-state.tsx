import type { WidgetConfig } from '@parley/conversation';
import { useSignal } from '../ui/use-signal.ts';
import { useWidget } from '../widget-context.ts';

export function EmptyState({ config }: { config: WidgetConfig }) {
  const { chat, cards, label } = useWidget();
  const preChat = useSignal(chat.preChat);
  const generation = useSignal(chat.generation);
  const { greeting, prompts, privacyUrl } = config.widget;
  return (
    <div class="empty">
      <p class="greeting" dir="auto">
        {greeting}
      </p>
      {preChat && cards && <cards.Form key={generation} />}
      {!preChat && prompts.length > 0 && (
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
