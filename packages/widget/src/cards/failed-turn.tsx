import { Icon } from '../icon.tsx';
import { useWidget } from '../widget-context.ts';

/** That a turn failed, and its message once more for another try. */
export function FailedTurn({ text }: { text: string | undefined }) {
  const { chat, label } = useWidget();
  return (
    <div class="notice failure" role="alert">
      <Icon name="alert" />
      <p>{label('turnFailed')}</p>
      {text && (
        <button type="button" class="button small" onClick={() => chat.send(text)}>
          {label('retry')}
        </button>
      )}
    </div>
  );
}
