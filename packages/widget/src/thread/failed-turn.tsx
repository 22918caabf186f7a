import type { Turn } from '@parley/conversation';
import { CardIcon } from '../ui/card-icon.tsx';
import { useWidget } from '../widget-context.ts';

type Props = { turn: Turn; last: boolean };

/** That a turn failed, because of a limit if so, and its message once more for another try. The past alerts nobody. */
export function FailedTurn({ turn, last }: Props) {
  const { conversation, label } = useWidget();
  const { user, error } = turn;
  return (
    <div class="notice failure" role={conversation.isNews(turn) ? 'alert' : undefined}>
      <CardIcon name="alert" />
      <p>{label(error?.code === 'QUOTA_EXCEEDED' ? error.code : 'turnFailed')}</p>
      {last && user && (
        <button
          type="button"
          class="button small"
          onClick={() => conversation.busy.value || conversation.resend(user)}
        >
          {label('retry')}
        </button>
      )}
    </div>
  );
}
