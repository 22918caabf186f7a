import { errorText } from '../panel/error-text.ts';
import { NoticeLine } from '../panel/notice-line.tsx';
import { useWidget } from '../widget-context.ts';

/** The one thing a visitor should know about the connection or the conversation, if there is one. */
export function Notice() {
  const { chat, label } = useWidget();
  const { failure, transcript, online, reconnecting } = chat.state;
  if (failure || transcript.status === 'ended')
    return (
      <NoticeLine
        text={failure ? errorText(failure.code, label) : label('ended')}
        action={label('newConversation')}
        onAction={() => chat.startNew()}
      />
    );
  if (!online) return <NoticeLine text={label('offline')} />;
  return reconnecting && <NoticeLine text={label('reconnecting')} />;
}
