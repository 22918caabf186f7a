import { expect, test } from '@playwright/test';
import { createAgent, startServer } from '../server.ts';
import { chatIn, heard } from './chat.ts';
import { checkFocus, complaints } from './console-check.ts';
import { openSite } from './open-site.ts';

test('the API screen keeps a theme, and makes and revokes the key of a page', async ({ page, browser }) => {
  const service = await startServer();
  const site = await openSite();
  const found = complaints(page);
  try {
    await createAgent(service, heard);
    await page.goto(service.setupLink ?? '');
    await page.getByLabel('Your name').fill('Zoe');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: 'Integrations' }).click();
    await page.getByRole('link', { name: /^API/ }).click();

    await test.step('what is saved of the theme is in the draft, and the preview has it', async () => {
      const accent = page.getByLabel('Accent');
      await accent.fill('#0f766e');
      await page.getByLabel('Name in the widget').fill('Harbour');
      await page.getByRole('button', { name: 'Save draft' }).click();
      await expect(page.getByText('Everything is saved in the draft.')).toBeVisible();
      await expect(page.getByText('Draft: 2 changes not published')).toBeVisible();
      await checkFocus(page);
      await page.reload();
      await expect(accent).toHaveValue('#0f766e');
      const widget = page.getByRole('region', { name: 'Preview' }).locator('#preview > *').first();
      for (const size of [
        { width: 1280, height: 800 },
        { width: 400, height: 800 },
      ]) {
        await page.setViewportSize(size);
        await expect(widget.getByText('Harbour').first()).toBeVisible();
        await expect(widget).toHaveCSS('--parley-accent', '#0f766e');
      }
      await page.setViewportSize({ width: 1280, height: 800 });
    });

    const card = page.getByRole('article', { name: 'Shop' });
    const visitor = await browser.newContext();
    const shop = await visitor.newPage();
    await test.step('a key works on pages of the address that is added to it', async () => {
      await page.getByLabel('What it is for').last().fill('Shop');
      await page.getByRole('button', { name: 'Create publishable key' }).click();
      const key = await card.getByRole('region', { name: 'Shop: the key' }).innerText();
      site.pasted.html = `<script async src="${service.url}/v1/parley.js?key=${key}"></script>`;
      await card.getByLabel('Address of your website').fill(`${site.origin}/shop`);
      await card.getByRole('button', { name: 'Add address' }).click();
      await expect(card.getByRole('listitem').filter({ hasText: site.origin })).toBeVisible();
      await checkFocus(page);
      await shop.goto(site.origin);
      await shop.getByRole('button', { name: /Ada/ }).click();
      const chat = chatIn(shop);
      await chat.say('Good morning');
      await expect(chat.log).toContainText('Heard: Good morning');
    });
    await test.step('once it is revoked the pages are refused', async () => {
      await card.getByRole('button', { name: 'Revoke' }).click();
      const dialog = page.getByRole('dialog', { name: 'Revoke Shop?' });
      await expect(dialog).toContainText('The widget stops on every page that has the key.');
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await expect(card).toHaveCount(0);
      await checkFocus(page);
      const chat = chatIn(shop);
      await chat.say('Are you there?');
      await expect(chat.log).toContainText('Not sent.');
      await shop.reload();
      await expect(shop.getByText('This chat is not set up for this website.')).toBeVisible();
      await expect(chat.field).toHaveCount(0);
    });
    await visitor.close();
    expect(found).toEqual([]);
  } finally {
    site.close();
    await service.stop();
  }
});
