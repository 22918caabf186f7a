import { CardIcon } from '../ui/card-icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { useSignal } from '../ui/use-signal.ts';
import { useWidget } from '../widget-context.ts';

/** Ends the turn that goes on. Offline there is none to see, and so nothing to stop. */
export function Stop() {
  const { conversation, label } = useWidget();
  const stopping = useSignal(conversation.stopping);
  const online = useSignal(conversation.online);
  const { status, turns } = useSignal(conversation.transcript);
  const works = status === 'working';
  return (
    (online || works) && (
      <IconButton
        name={label('stop')}
        look=""
        disabled={!works || stopping === turns.at(-1)?.id}
        onClick={conversation.stop}
      >
        <CardIcon name="stop" />
      </IconButton>
    )
  );
}
