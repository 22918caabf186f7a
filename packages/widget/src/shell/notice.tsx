import { useState } from 'preact/hooks';
import { ReadyMailOffer } from '../ready-mail/offer.tsx';
import { errorText } from '../ui/error-text.ts';
import { lazy } from '../ui/lazy.tsx';
import { NoticeLine } from '../ui/notice-line.tsx';
import { useSignal } from '../ui/use-signal.ts';
import { useWidget } from '../widget-context.ts';
import { useNow } from '../ui/use-now.ts';

const Transfer = lazy(() => import('../transfer/transfer.tsx'));

/** The one thing a visitor should know about the connection or the conversation, or is asked, if there is one. */
export function Notice() {
  const { arrival } = useWidget();
  const token = useSignal(arrival);
  return token ? <Transfer arrived={{ token, done: () => (arrival.value = null) }} /> : <State />;
}

function State() {
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
  return connectionStatus === 'lost' ? <Reconnecting /> : <ReadyMailOffer />;
}

/** Once the stream has been lost for longer than a blink. */
function Reconnecting() {
  const { label } = useWidget();
  const now = useNow();
  const [since] = useState(now);
  return now > since && <NoticeLine text={label('reconnecting')} />;
}
