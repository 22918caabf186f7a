import { countLabel } from '../i18n/count-label.ts';
import { useWidget } from '../widget-context.ts';

export function CharactersLeft({ count }: { count: number }) {
  const widget = useWidget();
  return (
    <p class={count < 0 ? 'problem' : 'meta'} role="status">
      {count < 0 ? widget.label('TOO_LARGE') : countLabel(widget, 'characters', count)}
    </p>
  );
}
