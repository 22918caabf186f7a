import { countLabel } from '../../i18n/count-label.ts';
import { useWidget } from '../../widget-context.ts';

/** How much of a table is left out. */
export const MoreRows = ({ count }: { count: number }) => (
  <p class="meta">{countLabel(useWidget(), 'moreRows', count)}</p>
);
