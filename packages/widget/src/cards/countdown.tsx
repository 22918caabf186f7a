import { useEffect } from 'preact/hooks';
import { useWidget } from '../widget-context.ts';
import { useNow } from './use-now.ts';

/** Counts the seconds down to a time, and says when it has come. */
export function Countdown({ until, onEnd }: { until: number; onEnd: () => void }) {
  const { label } = useWidget();
  const left = Math.max(0, Math.ceil((until - useNow()) / 1_000));
  useEffect(() => {
    if (left === 0) onEnd();
  }, [left === 0]);
  return <>{label('tryAgainIn', { count: left })}</>;
}
