import type { Browser } from '@playwright/test';
import type { Contestant } from './contestant.ts';
import { inTime, visit } from './visit.ts';

export interface LoadFigures {
  /** What the page's own traffic is until somebody opens the panel, its HTML included. */
  readonly kB: number;
  readonly visibleMs: number;
  readonly longestTaskMs: number;
  /** From the click on the launcher to the field; NaN without a launcher. */
  readonly openMs: number;
}

/** A first visit, with nothing in the cache, on a processor that is `slowdown` times slower. */
export function measureLoad(
  browser: Browser,
  { name, launcher, field }: Contestant,
  url: string,
  slowdown: number,
): Promise<LoadFigures> {
  return visit(browser, async (page, context) => {
    const session = await context.newCDPSession(page);
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await session.send('Network.enable');
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.goto(url, { waitUntil: 'commit' });
    const shown = page.evaluate((place) => probe.whenVisible(place), launcher ?? field);
    const visibleMs = await inTime(shown, `${name} did not show`);
    await page.waitForLoadState('networkidle');
    const tasks = await page.evaluate(() => probe.longTasks.map(({ duration }) => duration));
    const kB = bytes / 1_000;
    if (!launcher) return { kB, visibleMs, longestTaskMs: Math.max(0, ...tasks), openMs: Number.NaN };
    const open = page.evaluate(
      async ([{ host, inside }, input]) => {
        const root = host === null ? document : document.querySelector(host)!.shadowRoot!;
        const begin = performance.now();
        root.querySelector<HTMLElement>(inside)!.click();
        return (await probe.whenVisible(input)) - begin;
      },
      [launcher, field] as const,
    );
    const openMs = await inTime(open, `${name} did not open`);
    return { kB, visibleMs, longestTaskMs: Math.max(0, ...tasks), openMs };
  });
}
