import { expect, type Locator } from '@playwright/test';

/** How far the element is scrolled once that does not change any more. */
export async function settledScroll(element: Locator): Promise<number> {
  let settled = Number.NaN;
  await expect
    .poll(async () => settled === (settled = await element.evaluate(({ scrollTop }) => scrollTop)))
    .toBe(true);
  return settled;
}
