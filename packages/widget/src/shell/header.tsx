import { IconButton } from '../ui/icon-button.tsx';
import { useSignal } from '../ui/use-signal.ts';
import { useWidget } from '../widget-context.ts';

type Props = { name: string; onClose: (() => void) | null };

export function Header({ name, onClose }: Props) {
  const { chat, cards, label } = useWidget();
  const setup = useSignal(chat.setup);
  const transcript = useSignal(chat.transcript);
  const outbox = useSignal(chat.outbox);
  const busy = useSignal(chat.busy);
  const { openRequests } = useSignal(chat.counts);
  const status = openRequests > 0 ? label('needsYou') : busy && label('answering');
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
      {transcript.turns.length + outbox.length > 0 && (
        <IconButton name={label('newConversation')} icon="compose" onClick={() => chat.startNew()} />
      )}
      {cards && setup.kind === 'ready' ? <cards.Menu /> : <span class="quiet" />}
      {onClose && <IconButton name={label('close')} icon="close" onClick={onClose} />}
    </header>
  );
}
