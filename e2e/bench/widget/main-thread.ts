import type { Page } from '@playwright/test';

const names = ['TaskDuration', 'ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'] as const;

/** Seconds that a page's main thread has been busy since it began. */
interface MainThreadSeconds {
  readonly task: number;
  readonly script: number;
  readonly layoutAndStyle: number;
}

export interface MainThread {
  /** What `work` adds to what the thread does anyway, which is measured for `idleMs` right before it. */
  during(idleMs: number, work: () => Promise<void>): Promise<MainThreadSeconds>;
  /** Bytes of JavaScript that are still in use after a collection. */
  heapBytes(): Promise<number>;
}

export async function watchMainThread(page: Page): Promise<MainThread> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const seconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const [task, script, layout, style] = names.map(
      (name) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN,
    ) as [number, number, number, number];
    return { task, script, layoutAndStyle: layout + style };
  };
  const during = async (work: () => Promise<void>) => {
    const begin = await seconds();
    const begunAt = performance.now();
    await work();
    const end = await seconds();
    return {
      task: end.task - begin.task,
      script: end.script - begin.script,
      layoutAndStyle: end.layoutAndStyle - begin.layoutAndStyle,
      elapsed: performance.now() - begunAt,
    };
  };
  return {
    async during(idleMs, work) {
      const idle = await during(() => page.waitForTimeout(idleMs));
      const busy = await during(work);
      const share = busy.elapsed / idle.elapsed;
      const added = (of: keyof MainThreadSeconds) => Math.max(0, busy[of] - idle[of] * share);
      return { task: added('task'), script: added('script'), layoutAndStyle: added('layoutAndStyle') };
    },
    async heapBytes() {
      // What the page before this one has left goes with the second.
      await session.send('HeapProfiler.collectGarbage');
      await page.waitForTimeout(500);
      await session.send('HeapProfiler.collectGarbage');
      return (await session.send('Runtime.getHeapUsage')).usedSize;
    },
  };
}
