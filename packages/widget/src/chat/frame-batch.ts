const hiddenInterval = 250;
const slowInterval = 50;
const slowFrame = 32;
/** A long history must not become one long task. */
const largestBatch = 5_000;

/**
 * Collects items and hands them over together, once per animation frame; 20 times a second when frames come late, and
 * by a timer on a hidden page, which has no frames.
 */
export function createFrameBatch<T>(deliver: (items: T[]) => void) {
  let items: T[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame = 0;
  let slow = false;

  const cancel = () => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    timer = undefined;
  };
  const schedule = () => {
    // A page that is hidden before the frame comes never gets it.
    timer = setTimeout(flush, slow ? slowInterval : hiddenInterval);
    if (!document.hidden && !slow) frame = requestAnimationFrame(flush);
  };
  const take = (count: number) => {
    cancel();
    const batch = items.slice(0, count);
    items = items.slice(count);
    if (batch.length > 0) deliver(batch);
  };
  const flush = () => {
    const begin = performance.now();
    take(largestBatch);
    requestAnimationFrame(() => (slow = performance.now() - begin > slowFrame));
    if (items.length > 0) schedule();
  };

  return {
    add(item: T) {
      items.push(item);
      if (timer === undefined) schedule();
    },
    /** Hands over all there is, now. */
    flush: () => take(items.length),
    drop() {
      cancel();
      items = [];
    },
  };
}
