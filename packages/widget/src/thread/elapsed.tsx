import { useWidget } from '../widget-context.ts';
import { useNow } from '../ui/use-now.ts';

const longAfterSeconds = 10;

type Props = {
  since: number;
  /** Something else says already that work goes on. */
  quiet?: boolean;
};

/** That work goes on; after a while also for how long, and that the page may be left. */
export function Elapsed({ since, quiet }: Props) {
  const { label } = useWidget();
  const seconds = Math.max(0, Math.floor((useNow() - since) / 1_000));
  const long = seconds >= longAfterSeconds;
  const minutes = Math.floor(seconds / 60);
  const two = (part: number) => String(part % 60).padStart(2, '0');
  if (quiet && !long) return null;
  return (
    <>
      <span class="meta">{label(long ? 'stillWorking' : 'working')}</span>
      {long && (
        <span class="meta elapsed" aria-hidden="true">
          {minutes < 60 ? minutes : `${Math.floor(minutes / 60)}:${two(minutes)}`}:{two(seconds)}
        </span>
      )}
    </>
  );
}
