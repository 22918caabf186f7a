import { useEffect, useState } from 'preact/hooks';
import { labels } from '../labels.ts';

const longAfterSeconds = 10;

/** Says that the agent is at work; after a while also for how long, and that the page may be left. */
export function WorkingLine({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor((now - since) / 1_000));
  const long = seconds >= longAfterSeconds;
  return (
    <p class="working">
      <span class="dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span class="meta">{long ? labels.stillWorking : labels.working}</span>
      {long && (
        <span class="meta elapsed" aria-hidden="true">
          {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
        </span>
      )}
    </p>
  );
}
