import type { Browser, Page } from '@playwright/test';

const category = 'disabled-by-default-devtools.timeline.frame';

interface Trace {
  readonly traceEvents: readonly {
    readonly name: string;
    readonly args: { readonly frameSeqId?: number };
  }[];
}

/**
 * Chromium's own count, which its developer tools show: of the frames that the screen was due, 60 a second whatever the
 * page does, those for which the page had something under way that did not come in time. A frame for which there was
 * nothing to do is due and not dropped, so a widget wins nothing by drawing more often or less.
 * Returns the function that ends the count and gives the share that was dropped.
 */
export async function countPresentedFrames(browser: Browser, page: Page): Promise<() => Promise<number>> {
  await browser.startTracing(page, { categories: [category] });
  return async () => {
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as Trace;
    // A frame that takes several steps is reported at each.
    const frames = (event: string) =>
      new Set(traceEvents.flatMap(({ name, args }) => (name === event ? [args.frameSeqId] : []))).size;
    return frames('DroppedFrame') / frames('BeginFrame');
  };
}
