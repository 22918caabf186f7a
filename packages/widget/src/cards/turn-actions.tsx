import type { Turn } from '@parley/client/turn';
import { sayAgain } from '../attachments/say-again.ts';
import { Icon } from '../icon.tsx';
import { useWidget } from '../widget-context.ts';
import { CopyButton } from './copy-button.tsx';
import { lazy } from './lazy.tsx';

const Rating = lazy(() => import('./rating.tsx'), true);

/** What can be done with a finished answer. */
export function TurnActions({ turn, last }: { turn: Turn; last: boolean }) {
  const { parts, user, status } = turn;
  const { chat, label } = useWidget();
  const text = parts
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .filter(Boolean)
    .join('\n\n');
  const asked = chat.state.transcript.requests.some(({ turnId }) => turnId === turn.id);
  if (text === '' || asked) return null;
  return (
    <div class="actions" data-last={last || undefined}>
      <CopyButton text={text} />
      {last && user && status !== 'failed' && (
        <button type="button" class="copy" onClick={() => sayAgain(chat, user)}>
          <Icon name="again" />
          {label('again')}
        </button>
      )}
      {chat.state.session && <Rating sessionId={chat.state.session.sessionId} turnId={turn.id} />}
    </div>
  );
}
