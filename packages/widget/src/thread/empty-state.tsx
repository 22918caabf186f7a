import { Icon } from '../ui/icon.tsx';
import { Slot } from '../ui/slot.tsx';
import { useSignal } from '../ui/use-signal.ts';
import { useWidget } from '../widget-context.ts';
import { Avatar } from '../ui/avatar.tsx';

/** From here on it is a text and no headline, and leaves room for the suggestions. */
const longGreeting = 140;

export function EmptyState() {
  const { conversation, face, label } = useWidget();
  const preChat = useSignal(conversation.preChat);
  const generation = useSignal(conversation.generation);
  const { avatar, greeting, prompts, privacyUrl } = face;
  return (
    <div class="empty">
      <Avatar src={avatar} />
      <p class="greeting" dir="auto" data-long={(greeting && greeting.length > longGreeting) || undefined}>
        {greeting}
      </p>
      {preChat && <Slot key={generation} name="Form" />}
      {!preChat && prompts?.[0] && (
        <ul class="prompts" aria-label={label('prompts')}>
          {prompts.map((prompt) => (
            <li key={prompt}>
              <button type="button" class="prompt" onClick={() => conversation.send(prompt)}>
                <span dir="auto">{prompt}</span>
                <Icon name="send" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Slot name="Resume" />
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
