import { useWidget } from '../widget-context.ts';
import { useNow } from './use-now.ts';

const longAfterSeconds = 10;

/** That work goes on; after a while also for how long, and that the page may be left. */
export function Elapsed({ since }: { since: number }) {
  const { label } = useWidget();
  const seconds = Math.max(0, Math.floor((useNow() - since) / 1_000));
  const long = seconds >= longAfterSeconds;
  return (
    <>
      <span class="meta">{label(long ? 'stillWorking' : 'working')}</span>
      {long && (
        <span class="meta elapsed" aria-hidden="true">
          {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
        </span>
      )}
    </>
  );
}
