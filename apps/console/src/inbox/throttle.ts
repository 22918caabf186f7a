interface Throttle {
  /** Runs the task as soon as it may, or a random time of up to this much later. */
  readonly request: (jitterMs: number) => void;
  /** Drops what was requested and has not begun. */
  readonly cancel: () => void;
}

/**
 * Runs a task on request, one run at a time and at least this long after the end of the run before. However many requests
 * come meanwhile, one run answers them. The first run belongs to what is just opened, and delays none. A task throws nothing.
 */
export function throttle(task: () => Promise<void>, intervalMs: number): Throttle {
  let freeAt: number | null = null;
  let isRunning = false;
  /** Of the requests that came during a run; null: none came. */
  let jitterAfter: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = Infinity;

  const cancel = () => {
    clearTimeout(timer);
    jitterAfter = null;
    dueAt = Infinity;
  };
  const run = async () => {
    cancel();
    isRunning = true;
    await task();
    isRunning = false;
    freeAt = freeAt === null ? 0 : performance.now() + intervalMs;
    if (jitterAfter !== null) request(jitterAfter);
  };
  const request = (jitterMs: number) => {
    if (isRunning) {
      jitterAfter = Math.min(jitterAfter ?? jitterMs, jitterMs);
      return;
    }
    const now = performance.now();
    const at = Math.max(freeAt ?? 0, now) + Math.random() * jitterMs;
    if (at >= dueAt) return;
    clearTimeout(timer);
    dueAt = at;
    if (at <= now) void run();
    else timer = setTimeout(() => void run(), at - now);
  };
  return { request, cancel };
}
