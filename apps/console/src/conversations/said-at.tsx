import { today } from '../ui/today.ts';
import { saidTime, wholeTime } from './short-time.ts';

/** Beside what was said; the whole of it where a pointer rests. */
export function SaidAt({ at }: { readonly at: string }) {
  const time = new Date(at);
  return (
    <time dateTime={at} title={wholeTime(time)}>
      {saidTime(time, today.value)}
    </time>
  );
}
