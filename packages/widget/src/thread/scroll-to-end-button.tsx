import { countLabel } from '../i18n/count-label.ts';
import { useWidget } from '../widget-context.ts';
import { CardIcon } from '../ui/card-icon.tsx';

/** The way back to the end of the conversation, with how much there is new. */
export function ScrollToEndButton({ unread, toEnd }: { unread: number; toEnd: () => void }) {
  const widget = useWidget();
  return (
    <button type="button" class="pill" data-quiet={unread === 0 || undefined} onClick={toEnd}>
      <CardIcon name="down" />
      <span class={unread === 0 ? 'hidden' : undefined}>
        {unread === 0 ? widget.label('latest') : countLabel(widget, 'newMessages', unread)}
      </span>
    </button>
  );
}
