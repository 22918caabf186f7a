import { memo } from '../ui/memo.ts';
import { timeFormat } from './time-format.ts';
import { useWidget } from '../widget-context.ts';

/** When something was said, if that is known. */
export const Time = memo(({ at }: { at: number | string }) => {
  const { locale } = useWidget();
  const date = new Date(at);
  if (!(date.getTime() > 0)) return null;
  return (
    <time class="meta time" dateTime={date.toISOString()}>
      {timeFormat(locale).format(date)}
    </time>
  );
});
