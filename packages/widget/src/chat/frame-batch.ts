const hiddenInterval = 250;

/** Collects items and hands them over together, once per animation frame; a hidden page has no frames and gets a timer. */
export function createFrameBatch<T>(deliver: (items: T[]) => void) {
  let items: T[] = [];
  let cancel = () => {};
  const flush = () => {
    const batch = items;
    items = [];
    if (batch.length > 0) deliver(batch);
  };
  return {
    add(item: T) {
      items.push(item);
      if (items.length > 1) return;
      if (document.hidden) {
        const timer = setTimeout(flush, hiddenInterval);
        cancel = () => clearTimeout(timer);
      } else {
        const frame = requestAnimationFrame(flush);
        // A page that is hidden before the frame comes never gets it.
        const timer = setTimeout(flush, hiddenInterval);
        cancel = () => {
          cancelAnimationFrame(frame);
          clearTimeout(timer);
        };
      }
    },
    drop() {
      cancel();
      items = [];
    },
  };
}
