import { CardIcon } from '../ui/card-icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { useWidget } from '../widget-context.ts';

/** Leaves the conversation for another one. */
export function NewConversation() {
  const { conversation, label } = useWidget();
  return (
    <IconButton name={label('newConversation')} onClick={() => conversation.startNew()}>
      <CardIcon name="compose" />
    </IconButton>
  );
}
