import type { Page } from '@playwright/test';

/** What the widget leaves in a page. */
export type Parley = (call: string, ...args: unknown[]) => Promise<unknown>;

/** One call of the page's `parley`, without functions among its arguments. */
export const parley = (page: Page, ...call: [string, ...unknown[]]) =>
  page.evaluate(async (given) => {
    await (globalThis as unknown as { parley: Parley }).parley(...(given as [string]));
  }, call);
