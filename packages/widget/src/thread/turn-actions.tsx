import type { Turn, TurnPart } from '@parley/conversation';
import { CardIcon } from '../ui/card-icon.tsx';
import { useWidget } from '../widget-context.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { lazy } from '../ui/lazy.tsx';

const Rating = lazy(() => import('./rating.tsx'), true);

type Props = { turn: Turn; parts: readonly TurnPart[]; last: boolean };

/** What can be done with a finished answer, the parts of which are as they are shown. */
export function TurnActions({ turn, parts, last }: Props) {
  const { user, status } = turn;
  const { conversation, label } = useWidget();
  const text = parts
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .filter(Boolean)
    .join('\n\n');
  const asked =
    conversation.transcript.value.requests.some(({ turnId }) => turnId === turn.id) ||
    parts.some((part) => part.kind === 'team-question' && part.state === 'open');
  if (text === '' || asked) return null;
  return (
    <div class="actions" data-last={last || undefined}>
      <CopyButton text={text} />
      {last && user && status !== 'failed' && (
        <button
          type="button"
          class="copy"
          onClick={() => conversation.busy.value || conversation.resend(user)}
        >
          <CardIcon name="again" />
          {label('again')}
        </button>
      )}
      {conversation.session.value && <Rating turnId={turn.id} />}
    </div>
  );
}
