import type { LastConversation } from '@parley/conversation';
import { CardIcon } from '../ui/card-icon.tsx';
import { useWidget } from '../widget-context.ts';
import { beginning } from './beginning.ts';
import css from './last-conversation.css?inline';
import { relativeTime } from './relative-time.ts';

/** A row with the first words of a conversation and when it was left. */
function LastConversationRow({ last }: { last: LastConversation }) {
  const { conversation, label, locale } = useWidget();
  const left = new Date(last.at);
  const resume = (around: HTMLElement) => {
    conversation.open(last);
    requestAnimationFrame(() => {
      const field = matchMedia('(pointer: fine)').matches && around.querySelector('textarea');
      (field || around.querySelector<HTMLElement>('.log'))?.focus({ preventScroll: true });
    });
  };
  return (
    <button
      type="button"
      class="resume"
      onClick={({ currentTarget }) => resume(currentTarget.closest<HTMLElement>('.panel')!)}
    >
      <CardIcon name="clock" />
      <span>
        <bdi>{beginning(last.firstMessage)}</bdi>
        <span class="meta">
          {label('resume')} ·{' '}
          <time dateTime={left.toISOString()}>
            {relativeTime(left.getTime(), conversation.clock.now(), locale)}
          </time>
        </span>
      </span>
    </button>
  );
}

export { css, LastConversationRow as Component };
