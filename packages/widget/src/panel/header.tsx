import { IconButton } from './icon-button.tsx';
import { useWidget } from '../widget-context.ts';

type Props = { name: string; onClose: (() => void) | null };

export function Header({ name, onClose }: Props) {
  const { chat, cards, label } = useWidget();
  const { transcript, outbox } = chat?.state ?? {};
  const asked = transcript && cards?.openRequests(transcript);
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
      {outbox && transcript!.turns.length + outbox.length > 0 && (
        <IconButton name={label('newConversation')} icon="compose" onClick={() => chat.startNew()} />
      )}
      {cards && chat ? <cards.Menu chat={chat} /> : <span class="quiet" />}
      {onClose && <IconButton name={label('close')} icon="close" onClick={onClose} />}
    </header>
  );
}
