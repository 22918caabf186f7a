import { expect, type Page } from '@playwright/test';
import { barelyScrolled } from './barely-scrolled.ts';
import { violations, violationsBesidesColours } from './violations.ts';

/** What was done last has taken the focus from nobody. */
export async function checkFocus(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.activeElement !== document.body), `focus of ${page.url()}`)
    .toBe(true);
}

/** Nothing on a screen of the console is in anybody's way, in either theme, by keyboard and on a phone. */
export async function checkScreen(page: Page): Promise<void> {
  await checkFocus(page);
  await check(page);
}

/** The same of a page that has just been opened, where the keyboard begins at its top. */
export async function check(page: Page): Promise<void> {
  expect(await violations(page), page.url()).toEqual([]);
  // A mouse does not scroll a row of links sideways.
  const rows = page.locator('nav').filter({ visible: true });
  expect(
    await rows.evaluateAll((all) =>
      all.filter((row) => row.scrollWidth > row.clientWidth).map((row) => row.ariaLabel),
    ),
    `rows that are cut, ${page.url()}`,
  ).toEqual([]);
  expect(await page.evaluate(barelyScrolled), page.url()).toEqual([]);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 400, height: 800 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, `${page.url()} at 400 px`).toBeLessThanOrEqual(400);
  expect(await violationsBesidesColours(page), `${page.url()} at 400 px`).toEqual([]);
  expect(await page.evaluate(barelyScrolled), `${page.url()} at 400 px`).toEqual([]);
  // Rows of links may be wider than that, and show where one is.
  for (const link of await page.locator('nav [aria-current]').filter({ visible: true }).all())
    await expect
      .poll(async () => {
        const box = await link.boundingBox();
        return box !== null && box.x >= 0 && box.x + box.width <= 400;
      }, `${page.url()} at 400 px`)
      .toBe(true);
  if (size) await page.setViewportSize(size);
}

/** What the browser complains about, a policy that is broken above all. */
export function complaints(page: Page): string[] {
  const found: string[] = [];
  page.on('console', (message) => {
    // That a session has ended is a 401, and said by the browser too.
    if (message.type() === 'error' && !/status of 40[014]/.test(message.text())) found.push(message.text());
  });
  page.on('pageerror', (error) => found.push(error.message));
  return found;
}
