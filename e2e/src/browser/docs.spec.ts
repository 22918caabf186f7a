import { expect } from '@playwright/test';
import { chatIn } from './chat.ts';
import { check, complaints } from './console-check.ts';
import { test } from './running-demo.ts';

test('a newcomer asks the front page, and reads on in the documentation', async ({ page, demo, browser }) => {
  const complained = complaints(page);
  await page.goto(`${demo.url}/`);
  const chat = chatIn(page);
  await page.getByRole('button', { name: 'How long is a conversation kept?' }).click();
  await expect(chat.log).toContainText('as many days as retentionDays of the agent says');
  await expect(page.getByRole('listitem').filter({ hasText: 'Teaser' })).toContainText(
    'data-teaser="Planning',
  );
  const [request = ''] = await page.locator('pre', { hasText: 'curl' }).allTextContents();
  const [, key = ''] = /Bearer (sk_live_\w+)/.exec(request) ?? [];
  const answer = await fetch(`${demo.service}/api/v1/agent/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: /-d '(.*)'/.exec(request)?.[1] ?? '',
  });
  expect(((await answer.json()) as { text: string }).text).toContain('**publishable key** stands in a page');
  await check(page);

  await page.getByRole('link', { name: 'Put it on your page' }).click();
  await expect(page).toHaveTitle('Quickstart · Parley');
  await check(page);
  await page.getByRole('searchbox').fill('rotate secret');
  await page.getByRole('search').getByRole('link', { name: 'Rotate SECRET_KEY_BASE' }).click();
  await expect(page).toHaveURL(/\/docs\/secure#rotate-secret-key-base$/);
  await page.getByRole('link', { name: 'With curl' }).click();
  await page.getByRole('textbox', { name: 'Secret key' }).fill('sk_live_mine');
  await expect(page.locator('pre').first()).toContainText('Bearer sk_live_mine');
  await page.getByRole('link', { name: 'Next From Node' }).click();
  await expect(page.locator('pre', { hasText: 'node ask.mjs' })).toContainText('PARLEY_KEY=sk_live_mine');
  await page.goto(`${demo.service}/docs/reference-service`);
  await check(page);
  expect(complained).toEqual([]);

  const plain = await browser.newContext({ javaScriptEnabled: false });
  const still = await plain.newPage();
  await still.goto(`${demo.service}/docs/curl`);
  await still.getByText('On this page').click();
  await still.getByRole('link', { name: 'Read and delete' }).click();
  await expect(still).toHaveURL(/#read-and-delete$/);
  await expect(still.getByRole('button')).toHaveCount(0);
  await expect(still.getByRole('searchbox')).toBeHidden();
  await plain.close();
});

test('the documentation is read in the size of text that its reader has set, beside nothing that does not fit', async ({
  page,
  demo,
}) => {
  await page.setViewportSize({ width: 1000, height: 800 });
  await page.goto(`${demo.service}/docs/embed`);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  await expect(page.locator('article > p').nth(1)).toHaveCSS('font-size', '32px');
  const scrollable = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await expect.poll(scrollable).toBe(0);
  // What is beside it would leave three words to a line.
  const article = await page.getByRole('article').boundingBox();
  expect(article!.width).toBeGreaterThan(800);
});

test('no name in a table is taken apart', async ({ page, demo }) => {
  for (const width of [1280, 400]) {
    await page.setViewportSize({ width, height: 800 });
    for (const name of ['run', 'models', 'secure']) {
      await page.goto(`${demo.service}/docs/${name}`);
      const broken = await page
        .locator('td code')
        .evaluateAll((all) =>
          all
            .filter((each) => /^\w+$/.test(each.textContent) && each.getClientRects().length > 1)
            .map((each) => each.textContent),
        );
      expect(broken, `${name} at ${width} px`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  }
});
