import { chromium, expect, test } from '@playwright/test';
import { findBrowser } from '../browser.ts';
import { openDesk } from './console-desk.ts';

test('the console grows with the text size of the browser’s settings', async () => {
  const desk = await openDesk();
  const executablePath = findBrowser();
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--blink-settings=defaultFontSize=24'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await desk.signIn(page.context());
    await page.goto(`${desk.url}/console#/inbox/all`);
    const rows = page.locator('.inbox-row');
    await expect(rows.nth(1)).toBeVisible();
    const size = () => page.evaluate(() => getComputedStyle(document.body).fontSize);
    expect(await size()).toBe('22.5px');
    const [first, second] = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect()));
    expect(second!.top, 'no row covers another').toBeGreaterThanOrEqual(first!.bottom);
    for (const screen of ['account', 'members', `agents/${desk.ids.agent}`]) {
      await page.evaluate((to) => (location.hash = `#/${to}`), screen);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      await expect.poll(beyond).toBeLessThanOrEqual(0);
    }
  } finally {
    await browser.close();
    await desk.close();
  }
});
