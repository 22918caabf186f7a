import { useEffect } from 'preact/hooks';
import { useWidget } from '../widget-context.ts';
import { formatWait } from './format-wait.ts';
import { useNow } from './use-now.ts';

/** Counts down to a time, and says when it has come. A timer is not read aloud at each change. */
export function Countdown({ until, onEnd }: { until: number; onEnd: () => void }) {
  const { label, locale } = useWidget();
  const left = Math.max(0, Math.ceil((until - useNow()) / 1_000));
  useEffect(() => {
    if (left === 0) onEnd();
  }, [left === 0]);
  return <span role="timer">{label('tryAgainIn', { time: formatWait(left, locale) })}</span>;
}
