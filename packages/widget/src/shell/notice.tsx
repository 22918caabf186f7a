import { useState } from 'preact/hooks';
import { errorText } from '../ui/error-text.ts';
import { NoticeLine } from '../ui/notice-line.tsx';
import { useSignal } from '../ui/use-signal.ts';
import { useWidget } from '../widget-context.ts';
import { useNow } from '../ui/use-now.ts';

/** The one thing a visitor should know about the connection or the conversation, if there is one. */
export function Notice() {
  const { conversation, label } = useWidget();
  const failure = useSignal(conversation.failure);
  const transcript = useSignal(conversation.transcript);
  const online = useSignal(conversation.online);
  const connectionStatus = useSignal(conversation.connectionStatus);
  if (failure || transcript.status === 'ended')
    return (
      <NoticeLine
        text={failure ? errorText(failure.code, label) : label('ended')}
        action={label('newConversation')}
        onAction={() => conversation.startNew()}
      />
    );
  if (!online) return <NoticeLine text={label('offline')} />;
  return connectionStatus === 'lost' && <Reconnecting />;
}

/** Once the stream has been lost for longer than a blink. */
function Reconnecting() {
  const { label } = useWidget();
  const now = useNow();
  const [since] = useState(now);
  return now > since && <NoticeLine text={label('reconnecting')} />;
}
