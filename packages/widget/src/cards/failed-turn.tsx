import type { Turn } from '@parley/client/turn';
import { sayAgain } from '../attachments/say-again.ts';
import { Icon } from '../icon.tsx';
import { useWidget } from '../widget-context.ts';

/** That a turn failed, and its message once more for another try. */
export function FailedTurn({ user }: { user: Turn['user'] }) {
  const { chat, label } = useWidget();
  return (
    <div class="notice failure" role="alert">
      <Icon name="alert" />
      <p>{label('turnFailed')}</p>
      {user && (
        <button type="button" class="button small" onClick={() => sayAgain(chat, user)}>
          {label('retry')}
        </button>
      )}
    </div>
  );
}
