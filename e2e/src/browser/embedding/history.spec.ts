import { expect, type Page } from '@playwright/test';
import { chatIn } from '../chat.ts';
import { test } from './scene.ts';

const length = (page: Page) => page.evaluate(() => history.length);

async function openWorkshop(page: Page, openScene: (name: string) => Promise<void>) {
  await openScene('spa');
  await page.getByRole('link', { name: 'Workshop' }).click();
  await page.evaluate(() => history.replaceState({ scroll: 12 }, ''));
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  await expect(chatIn(page).field).toBeVisible();
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 780 } });

  test('Back closes the panel, opened anew or reloaded, and leaves the page’s router where it was', async ({
    page,
    openScene,
  }) => {
    const isOpen = () => expect(page.getByRole('dialog')).toHaveAttribute('aria-modal', 'true');
    const state = () => page.evaluate(() => history.state as object);
    await openWorkshop(page, openScene);
    await expect.poll(state).toMatchObject({ scroll: 12 });
    expect(new URL(page.url()).search).toBe('?page=workshop');
    await isOpen();
    const before = await length(page);

    // Its button takes the entry away.
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(state).toEqual({ scroll: 12 });
    await page.getByRole('button', { name: 'Chat with Fern' }).click();
    await isOpen();
    expect(await length(page)).toBe(before);

    await page.evaluate(async () => {
      const { parley } = globalThis;
      const gone = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
      void parley('close');
      void parley('open');
      await gone;
    });
    await isOpen();
    expect(await length(page)).toBe(before);

    await page.reload();
    await isOpen();
    expect(await length(page)).toBe(before);

    await page.goBack();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'The workshop' })).toBeVisible();
    expect(await state()).toEqual({ scroll: 12 });
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'About us' })).toBeVisible();
  });

  test('without the option the browser’s history is the page’s alone', async ({ page, openScene }) => {
    await openScene('calm');
    const before = await length(page);
    await page.getByRole('button', { name: 'Chat with Fern' }).click();
    await expect(page.getByRole('dialog')).toHaveAttribute('aria-modal', 'true');
    expect(await length(page)).toBe(before);
  });
});

test('in a wide window the browser’s history is the page’s alone', async ({ page, openScene }) => {
  await openWorkshop(page, openScene);
  await expect(chatIn(page).field).toBeFocused();
  await expect(page.getByRole('dialog').getByLabel('Menu')).toBeVisible();
  expect(await page.evaluate(() => history.state as object)).toEqual({ scroll: 12 });
});
