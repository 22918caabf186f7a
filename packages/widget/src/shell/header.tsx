import { Avatar } from '../ui/avatar.tsx';
import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Slot } from '../ui/slot.tsx';
import { useSignal } from '../ui/use-signal.ts';
import { useWidget } from '../widget-context.ts';

/** Keeps the place of the menu. */
const quiet = <span class="quiet" />;

export function Header({ onClose }: { onClose: (() => void) | null }) {
  const { conversation, face, label } = useWidget();
  const setup = useSignal(conversation.setup);
  const transcript = useSignal(conversation.transcript);
  const outbox = useSignal(conversation.outbox);
  const busy = useSignal(conversation.busy);
  const online = useSignal(conversation.online);
  const { openRequests } = useSignal(conversation.counts);
  const status = openRequests > 0 ? label('needsYou') : busy && online && label('answering');
  const { person = transcript.turns.at(-1)?.author } = transcript;
  const isPerson = person?.kind === 'team';
  return (
    <header class="header">
      {isPerson ? <Slot name="Portrait" person={person} /> : <Avatar src={face.avatar} />}
      <div class="title">
        <h2 id="title">
          <bdi>{face.name}</bdi>
        </h2>
        <p class="meta">
          {isPerson && person.name && `${person.name} · `}
          {label(isPerson ? 'person' : 'assistant')}
          {status && ` · ${status}`}
        </p>
      </div>
      {transcript.turns.length + outbox.length > 0 && <Slot name="NewConversation" />}
      {setup.kind === 'ready' ? <Slot name="Menu" instead={quiet} /> : quiet}
      {onClose && (
        <IconButton name={label('close')} onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      )}
    </header>
  );
}
