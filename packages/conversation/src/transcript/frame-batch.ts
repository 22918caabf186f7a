import type { Clock } from '@parley/client/clock';
import type { Environment } from '../environment.ts';

const frameInterval = 16;
const hiddenInterval = 250;
const slowInterval = 50;
const slowFrame = 32;
/** A long history must not become one long task. */
const largestBatch = 1_000;
/** What they change is drawn in a task of its own, before the one that lays it out and paints it. */
const manyItems = 50;

/**
 * Collects items and hands them over together, once per animation frame; 20 times a second when frames come late, and
 * by a timer on a hidden page, which has no frames.
 */
export function createFrameBatch<T>(
  deliver: (items: T[]) => void,
  clock: Clock,
  { isHidden, nextFrame = (callback) => clock.after(frameInterval, callback) }: Environment,
) {
  let items: T[] = [];
  let cancelScheduled: (() => void) | null = null;
  let cancelMeasuring: (() => void) | null = null;
  let slow = false;

  const cancel = () => {
    cancelScheduled?.();
    cancelScheduled = null;
  };
  const schedule = () => {
    // A page that is hidden before the frame comes never gets it.
    const cancelTimer = clock.after(slow ? slowInterval : hiddenInterval, flush);
    let cancelFrame = !isHidden?.() && !slow && nextFrame(onFrame);
    function onFrame() {
      if (items.length < manyItems) return flush();
      cancelFrame = clock.after(0, flush);
    }
    cancelScheduled = () => {
      cancelTimer();
      if (cancelFrame) cancelFrame();
    };
  };
  const take = (count: number) => {
    cancel();
    const batch = items.slice(0, count);
    items = items.slice(count);
    if (batch.length > 0) deliver(batch);
  };
  const flush = () => {
    const begin = clock.now();
    take(largestBatch);
    cancelMeasuring?.();
    // On a hidden page it would fire when somebody looks again, and take the time until then for that of a frame.
    cancelMeasuring = isHidden?.() ? null : nextFrame(() => (slow = clock.now() - begin > slowFrame));
    if (items.length > 0) schedule();
  };

  return {
    add(item: T) {
      items.push(item);
      if (!cancelScheduled) schedule();
    },
    /** Hands over all there is, now. */
    flush: () => take(items.length),
    drop() {
      cancel();
      cancelMeasuring?.();
      items = [];
    },
  };
}
