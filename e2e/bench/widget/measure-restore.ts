import type { Browser } from '@playwright/test';
import { type Contestant, selectorOf } from './contestant.ts';
import { firstMarker, history, lastMarker, messageMarker } from './history.ts';
import { watchMainThread } from './main-thread.ts';
import { inTime, visit } from './visit.ts';

const typed = 'the quick brown fox ';
const betweenKeysMs = 30;
const idleMs = 1_000;

export interface RestoreFigures {
  readonly shownMs: number;
  readonly wholeMs: number;
  readonly longestTaskMs: number;
  readonly perKeyMs: number;
  readonly heapMB: number;
}

/** A page that begins with 1,000 messages, opened once before so that its files are there. */
export function measureRestore(
  browser: Browser,
  contestant: Contestant,
  url: string,
): Promise<RestoreFigures> {
  return visit(browser, async (page, context) => {
    await contestant.restore(context);
    const restored = async () => {
      const { log } = contestant;
      const times = page.evaluate(([place, first, last]) => probe.whenRestored(place, first, last), [
        log,
        firstMarker,
        lastMarker,
      ] as const);
      return inTime(times, `${contestant.name} did not show its history`);
    };
    await page.goto(`${url}?restored`);
    await restored();
    await page.reload();
    const { shown, whole } = await restored();
    await page.waitForTimeout(1_000);

    const text = await page.locator(selectorOf(contestant.log)).textContent();
    const messages = new Set(text?.match(messageMarker)).size;
    if (messages !== history.length * 2)
      throw new Error(`${contestant.name} shows ${messages} messages of ${history.length * 2}.`);
    const longTasks = await page.evaluate(() => probe.longTasks);

    const mainThread = await watchMainThread(page);
    const heap = await mainThread.heapBytes();
    await page.click(selectorOf(contestant.field));
    const busy = await mainThread.during(idleMs, () => page.keyboard.type(typed, { delay: betweenKeysMs }));
    return {
      shownMs: shown,
      wholeMs: whole,
      longestTaskMs: Math.max(0, ...longTasks.map(({ duration }) => duration)),
      perKeyMs: (busy.task * 1_000) / typed.length,
      heapMB: heap / 1e6,
    };
  });
}
