import { useWidget } from '../widget-context.ts';
import { formatWait } from './format-wait.ts';
import { useNow } from '../ui/use-now.ts';

/** Counts down to a time. A timer is not read aloud at each change. */
export function Countdown({ until }: { until: number }) {
  const { label, locale } = useWidget();
  const left = Math.max(0, Math.ceil((until - useNow()) / 1_000));
  return <span role="timer">{label('tryAgainIn', { time: formatWait(left, locale) })}</span>;
}
