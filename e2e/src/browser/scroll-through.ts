import type { Page } from '@playwright/test';

export interface Scrolled {
  /** The most rows that were in the page at any time. */
  readonly maxRows: number;
  /** Pages of the list that came. */
  readonly pages: number;
  /** Of those that hold the page up for 50 ms or more; 0: there was none. */
  readonly longestTaskMs: number;
}

/** Scrolls a long list of the console, at that address, from its top to its end, which comes as the service sends it. */
export async function scrollThrough(page: Page, address: string): Promise<Scrolled> {
  return page.evaluate(
    async ({ to, maxFrames }): Promise<Scrolled> => {
      let longestTaskMs = 0;
      const tasks = new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, duration);
      });
      let frames = 0;
      const frame = async () => {
        frames += 1;
        if (frames > maxFrames)
          throw new Error(`The list did not come to its end: ${document.body.innerText}`);
        await new Promise(requestAnimationFrame);
      };
      const drawn = () => document.querySelectorAll('.slices li');
      // Who comes back before the other screen is drawn has never left the list, which is then not asked for anew.
      location.hash = '#/nothing';
      while (document.querySelector('.slices')) await frame();
      location.hash = to;
      while (drawn().length === 0) await frame();
      tasks.observe({ type: 'longtask' });
      let maxRows = 0;
      while (document.querySelector('.slices ~ button')) {
        maxRows = Math.max(maxRows, drawn().length);
        scrollTo(0, document.documentElement.scrollHeight);
        await frame();
      }
      scrollTo(0, document.documentElement.scrollHeight);
      await frame();
      await frame();
      tasks.disconnect();
      return { maxRows, pages: document.querySelectorAll('.slice').length, longestTaskMs };
    },
    { to: address, maxFrames: 20_000 },
  );
}
