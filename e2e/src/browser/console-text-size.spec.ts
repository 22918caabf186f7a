import { type Browser, chromium, expect, type Page, test } from '@playwright/test';
import { findBrowser } from '../browser.ts';
import { openDesk } from './console-desk.ts';

/** Of somebody who has changed the browser's settings. */
function launch(settings: string): Promise<Browser> {
  const executablePath = findBrowser();
  return chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', `--blink-settings=${settings}`],
  });
}

/** How far each row of the inbox is below the one before, and how much of that it takes. */
async function firstRows(page: Page) {
  const rows = page.locator('.inbox-rows li');
  await expect(rows.nth(1)).toBeVisible();
  const [first, second] = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect()));
  return { apart: second!.top - first!.top, height: first!.height };
}

test('the console grows with the text size of the browser’s settings', async () => {
  const desk = await openDesk();
  const browser = await launch('defaultFontSize=24');
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await desk.signIn(page.context());
    await page.goto(`${desk.url}/console#/inbox/all`);
    expect(await firstRows(page)).toEqual({ apart: 102, height: 102 });
    const size = () => page.evaluate(() => getComputedStyle(document.body).fontSize);
    expect(await size()).toBe('22.5px');
    // What is said in px is of what visitors have before them.
    await page.evaluate(() => (location.hash = '#/integrations/channels/api'));
    await page.getByRole('button', { name: '375 px' }).click();
    await expect(page.locator('#preview')).toHaveCSS('width', '375px');
    const screens = {
      account: page.getByRole('button', { name: 'Change password' }),
      members: page.getByRole('button', { name: 'Make a link' }),
      contacts: page.getByRole('searchbox', { name: 'Search' }),
      [`agents/${desk.ids.agent}`]: page.getByRole('button', { name: 'Save draft' }),
    };
    // As 320 px, which is the least that WCAG 2.2 (1.4.10) asks for, and as 200 px.
    for (const width of [480, 300])
      for (const [screen, drawn] of Object.entries(screens)) {
        await page.setViewportSize({ width, height: 800 });
        await page.evaluate((to) => (location.hash = `#/${to}`), screen);
        await expect(drawn).toBeVisible();
        const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        await expect.poll(beyond, `${screen}, ${width} px`).toBeLessThanOrEqual(0);
      }
    await page.evaluate(() => (location.hash = '#/inbox/all'));
    const filters = page.locator('.inbox-filters select');
    await expect(filters).toHaveCount(2);
    const cut = await filters.evaluateAll((all) =>
      (all as HTMLSelectElement[]).filter((select) => {
        const given = select.getBoundingClientRect().width;
        const alone = select.cloneNode() as HTMLSelectElement;
        alone.append(select.selectedOptions[0]!.cloneNode(true));
        alone.style.flex = 'none';
        select.after(alone);
        const wanted = alone.getBoundingClientRect().width;
        alone.remove();
        return wanted > given;
      }),
    );
    expect(cut).toHaveLength(0);
  } finally {
    await browser.close();
    await desk.close();
  }
});

test('rows of the inbox stand one below the other where no text is smaller than the browser allows', async () => {
  const desk = await openDesk();
  const browser = await launch('minimumFontSize=24');
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await desk.signIn(page.context());
    await page.goto(`${desk.url}/console#/inbox/all`);
    const { apart, height } = await firstRows(page);
    expect(apart).toBe(height);
  } finally {
    await browser.close();
    await desk.close();
  }
});
