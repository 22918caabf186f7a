import type { Page } from '@playwright/test';

/** What the widget leaves in a page. */
export type Parley = (call: string, ...args: unknown[]) => Promise<unknown>;

declare global {
  // oxlint-disable-next-line no-var -- only so is it a property of `globalThis`.
  var parley: Parley;
}

/** One call of the page's `parley`, without functions among its arguments. */
export const parley = (page: Page, ...call: [string, ...unknown[]]) =>
  page.evaluate(async (given) => {
    await globalThis.parley(...(given as [string]));
  }, call);
