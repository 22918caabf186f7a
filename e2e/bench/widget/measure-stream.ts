import type { Browser } from '@playwright/test';
import { percentile } from '../statistics.ts';
import type { Contestant } from './contestant.ts';
import { judgeFrames } from './frames.ts';
import { watchMainThread } from './main-thread.ts';
import type { PageServer } from './page-server.ts';
import { countPresentedFrames } from './presented-frames.ts';
import { replyMarkers, replyTokens } from './reply.ts';
import { inTime, openPanel, visit } from './visit.ts';

/** Chances of a shorter time would count too often: the reply takes many times as long. */
const idleMs = 2_000;
/** Work that the end of the reply sets off counts, too. */
const afterwardsMs = 500;
/** Until then a reply that falls behind is watched. */
export const watchedMs = 60_000;

export interface StreamFigures {
  readonly mainThreadS: number;
  readonly scriptS: number;
  readonly layoutAndStyleS: number;
  readonly longTasks: number;
  readonly longestTaskMs: number;
  /** Of the page's frame callbacks. */
  readonly droppedShare: number;
  /** Of the frames on the screen. */
  readonly notPresentedShare: number;
  readonly worstFrameMs: number;
  /** Infinite if not all of the text was there while it was watched. */
  readonly behindMs: number;
  readonly maxBehindMs: number;
}

/**
 * One reply of 2,000 tokens, from its question to its last word on the screen, on a processor that is `slowdown` times
 * slower once the panel is open.
 */
export function measureStream(
  browser: Browser,
  contestant: Contestant,
  server: PageServer,
  path: string,
  slowdown: number,
): Promise<StreamFigures> {
  return visit(browser, async (page, context) => {
    await page.goto(`${server.url}/${path}`);
    await openPanel(page, contestant);
    await page.waitForTimeout(1_000);
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    const mainThread = await watchMainThread(page);

    const written = page.evaluate(([log, markers, within]) => probe.whenWritten(log, markers, within), [
      contestant.log,
      replyMarkers,
      idleMs + watchedMs,
    ] as const);
    let seenAt: number[] = [];
    let begin = 0;
    let end = 0;
    let presented = () => Promise.resolve(0);
    const busy = await mainThread.during(idleMs, async () => {
      presented = await countPresentedFrames(browser, page);
      begin = await page.evaluate(() => performance.now());
      await page.keyboard.type('Which route?');
      await page.keyboard.press('Enter');
      seenAt = await inTime(written, `${contestant.name} did not show the reply`);
      await page.waitForTimeout(afterwardsMs);
      end = await page.evaluate(() => performance.now());
    });
    const notPresentedShare = await presented();
    if (seenAt.length === 0) throw new Error(`${contestant.name} showed nothing of the reply.`);

    const sentAt = replyTokens.flatMap((token, index) =>
      /k\d{4}/.test(token) ? [server.sentAt[index]!] : [],
    );
    const behind = sentAt.map((sent, index) => (seenAt[index] ?? Infinity) - sent);
    const { frames, longTasks } = await page.evaluate(() => ({
      frames: probe.frames,
      longTasks: probe.longTasks,
    }));
    const { droppedShare, worstMs } = judgeFrames(frames.filter((time) => time > begin && time < end));
    const tasks = longTasks.filter(({ at }) => at > begin && at < end).map(({ duration }) => duration);
    return {
      mainThreadS: busy.task,
      scriptS: busy.script,
      layoutAndStyleS: busy.layoutAndStyle,
      longTasks: tasks.length,
      longestTaskMs: Math.max(0, ...tasks),
      droppedShare,
      notPresentedShare,
      worstFrameMs: worstMs,
      behindMs: percentile(behind, 0.5),
      maxBehindMs: Math.max(...behind),
    };
  });
}
