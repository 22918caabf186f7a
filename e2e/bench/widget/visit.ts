import type { Browser, BrowserContext, Page } from '@playwright/test';
import { type Contestant, selectorOf } from './contestant.ts';
import { installProbe } from './probe.ts';

const viewport = { width: 1280, height: 800 };
const longestWait = 90_000;

/** Gives `measure` a page in a browser that has never seen it. */
export async function visit<Figures>(
  browser: Browser,
  measure: (page: Page, context: BrowserContext) => Promise<Figures>,
): Promise<Figures> {
  const context = await browser.newContext({ viewport });
  try {
    context.setDefaultTimeout(longestWait);
    await context.addInitScript(installProbe);
    return await measure(await context.newPage(), context);
  } finally {
    await context.close();
  }
}

/** Opens the panel, if there is something to open it with, and puts the cursor into its field. */
export async function openPanel(page: Page, { launcher, field }: Contestant): Promise<void> {
  if (launcher) await page.click(selectorOf(launcher));
  await page.click(selectorOf(field));
}

/** Rejects with what did not happen, when it takes too long. */
export function inTime<Value>(work: Promise<Value>, failure: string): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`${failure} within ${longestWait / 1000} s.`)),
    longestWait,
  );
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
