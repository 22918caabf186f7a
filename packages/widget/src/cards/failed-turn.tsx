import type { Turn } from '@parley/client/turn';
import { sayAgain } from '../attachments/say-again.ts';
import { Icon } from '../icon.tsx';
import { useWidget } from '../widget-context.ts';

type Props = { user: Turn['user']; error: Turn['error'] };

/** That a turn failed, because of a limit if so, and its message once more for another try. */
export function FailedTurn({ user, error }: Props) {
  const { chat, label } = useWidget();
  return (
    <div class="notice failure" role="alert">
      <Icon name="alert" />
      <p>{label(error?.code === 'QUOTA_EXCEEDED' ? error.code : 'turnFailed')}</p>
      {user && (
        <button type="button" class="button small" onClick={() => sayAgain(chat, user)}>
          {label('retry')}
        </button>
      )}
    </div>
  );
}
