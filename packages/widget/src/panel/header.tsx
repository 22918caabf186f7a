import { emptyTranscript } from '@parley/client/transcript';
import { Icon } from '../icon.tsx';
import { useWidget } from '../widget-context.ts';

type Props = { name: string; onClose: (() => void) | null };

export function Header({ name, onClose }: Props) {
  const { chat, cards, label } = useWidget();
  const { turns, requests } = chat?.state.transcript ?? emptyTranscript;
  const asked =
    requests.length > 0 || turns.at(-1)?.parts.some((part) => part.kind === 'sign-in' && !part.outcome);
  const status = asked ? label('needsYou') : chat?.busy && label('answering');
  return (
    <header class="header">
      <div class="title">
        <h2 id="title">
          <bdi>{name}</bdi>
        </h2>
        <p class="meta">
          {label('assistant')}
          {status && ` · ${status}`}
        </p>
      </div>
      {chat && turns.length + chat.state.outbox.length > 0 && (
        <IconButton name={label('newConversation')} icon="compose" onClick={() => chat.startNew()} />
      )}
      {cards && chat ? <cards.Menu chat={chat} /> : <span class="quiet" />}
      {onClose && <IconButton name={label('close')} icon="close" onClick={onClose} />}
    </header>
  );
}

function IconButton({
  name,
  icon,
  onClick,
}: {
  name: string;
  icon: 'compose' | 'close';
  onClick: () => void;
}) {
  return (
    <button type="button" class="round quiet" aria-label={name} title={name} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
