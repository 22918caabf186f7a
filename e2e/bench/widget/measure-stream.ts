import type { Browser } from '@playwright/test';
import { percentile } from '../statistics.ts';
import type { Contestant } from './contestant.ts';
import { judgeFrames } from './frames.ts';
import { watchMainThread } from './main-thread.ts';
import type { PageServer } from './page-server.ts';
import { replyMarkers, replyTokens } from './reply.ts';
import { inTime, openPanel, visit } from './visit.ts';

/** Chances of a shorter time would count too often: the reply takes many times as long. */
const idleMs = 2_000;
/** Work that the end of the reply sets off counts, too. */
const afterwardsMs = 500;

export interface StreamFigures {
  readonly mainThreadS: number;
  readonly scriptS: number;
  readonly layoutAndStyleS: number;
  readonly longTasks: number;
  readonly longestTaskMs: number;
  readonly droppedShare: number;
  readonly worstFrameMs: number;
  readonly behindMs: number;
  readonly mostBehindMs: number;
}

/** One reply of 2,000 tokens, from its question to its last word on the screen. */
export function measureStream(
  browser: Browser,
  contestant: Contestant,
  server: PageServer,
  path: string,
): Promise<StreamFigures> {
  return visit(browser, async (page) => {
    await page.goto(`${server.url}/${path}`);
    await openPanel(page, contestant);
    await page.waitForTimeout(1_000);
    const mainThread = await watchMainThread(page);

    const written = page.evaluate(([log, markers]) => probe.whenWritten(log, markers), [
      contestant.log,
      replyMarkers,
    ] as const);
    let seenAt: number[] = [];
    let begin = 0;
    const busy = await mainThread.during(idleMs, async () => {
      begin = await page.evaluate(() => performance.now());
      await page.keyboard.type('Which route?');
      await page.keyboard.press('Enter');
      seenAt = await inTime(written, `${contestant.name} did not show the whole reply`);
      await page.waitForTimeout(afterwardsMs);
    });

    const sentAt = replyTokens.flatMap((token, index) =>
      /k\d{4}/.test(token) ? [server.sentAt[index]!] : [],
    );
    const behind = seenAt.map((seen, index) => seen - sentAt[index]!);
    const { frames, longTasks } = await page.evaluate(() => ({
      frames: probe.frames,
      longTasks: probe.longTasks,
    }));
    const { droppedShare, worstMs } = judgeFrames(frames.filter((time) => time > begin));
    const tasks = longTasks.filter(({ at }) => at > begin).map(({ duration }) => duration);
    return {
      mainThreadS: busy.task,
      scriptS: busy.script,
      layoutAndStyleS: busy.layoutAndStyle,
      longTasks: tasks.length,
      longestTaskMs: Math.max(0, ...tasks),
      droppedShare,
      worstFrameMs: worstMs,
      behindMs: percentile(behind, 0.5),
      mostBehindMs: Math.max(...behind),
    };
  });
}
