import { expect, type Page } from '@playwright/test';
import { chatIn } from '../chat.ts';
import { parley } from '../parley.ts';
import { test } from './scene.ts';

const update = (page: Page, options: object) => parley(page, 'update', options);

const place = async (page: Page, selector: string) => {
  const box = (await page.locator(selector).boundingBox())!;
  const { width, height } = page.viewportSize()!;
  return { left: box.x, right: width - box.x - box.width, bottom: height - box.y - box.height };
};

test('before its panel is there, a launcher takes another place, name and layer, and can give way', async ({
  page,
  openScene,
}) => {
  await openScene('calm');
  await expect(page.getByRole('button', { name: 'Chat with Fern' })).toBeVisible();
  await update(page, { position: 'start', offsetX: '40px', offsetY: '72px', zIndex: 7, name: 'Ask Fern' });
  const launcher = page.getByRole('button', { name: 'Ask Fern' });
  expect(await place(page, '.launcher')).toMatchObject({ left: 40, bottom: 72 });
  const layer = () => page.locator('[data-parley]').evaluate((host) => getComputedStyle(host).zIndex);
  expect(await layer()).toBe('7');
  await update(page, { launcher: 'h1', zIndex: undefined });
  await expect(launcher).toBeHidden();
  expect(await layer()).not.toBe('7');
  await page.getByRole('heading').click();
  await expect(chatIn(page).field).toBeVisible();
  await expect.poll(() => place(page, '.panel')).toMatchObject({ left: 40, bottom: 140 });
  await update(page, { launcher: '' });
  await expect(launcher).toBeVisible();
});

test('an open panel follows side, offsets and language, and comes back to the page’s own', async ({
  page,
  openScene,
}) => {
  await openScene('calm');
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  await expect(chatIn(page).field).toBeVisible();
  const panel = page.getByRole('dialog');
  await update(page, { position: 'start', offsetX: '32px', offsetY: '60px' });
  await expect.poll(() => place(page, '.panel')).toMatchObject({ left: 32, bottom: 128 });
  expect((await panel.boundingBox())!.y).toBeGreaterThanOrEqual(0);

  await update(page, { locale: 'ar' });
  await expect(panel).toHaveAttribute('lang', 'ar');
  await expect(panel.getByRole('textbox', { name: 'رسالة' })).toBeVisible();
  expect(await panel.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
  await expect.poll(() => place(page, '.panel')).toMatchObject({ right: 32 });
  await update(page, { locale: undefined, position: undefined, offsetX: undefined, offsetY: undefined });
  await expect(chatIn(page).field).toBeVisible();
  await expect.poll(() => place(page, '.panel')).toMatchObject({ right: 20, bottom: 88 });
});

test('attributes of the element reach its widget without making it anew', async ({ page, openScene }) => {
  await openScene('vite');
  const element = page.locator('parley-chat');
  const field = element.getByRole('textbox', { name: 'Message', exact: true });
  await field.fill('half a sentence');
  await element.evaluate((chat) => {
    chat.setAttribute('locale', 'de');
    chat.setAttribute('theme', 'dark');
    chat.setAttribute('accent', '#0f766e');
  });
  const german = element.getByRole('textbox', { name: 'Nachricht', exact: true });
  await expect(german).toHaveValue('half a sentence');
  await expect(element.getByRole('region')).toHaveAttribute('data-theme', 'dark');
  await element.evaluate((chat) => chat.removeAttribute('locale'));
  await expect(field).toHaveValue('half a sentence');
});

test('an element that is made anew looks as it did, also what is loaded on demand', async ({
  page,
  openScene,
  script,
}) => {
  await script([{ steps: [{ say: '```js\nconst days = 4;\n```' }] }]);
  await openScene('vite');
  const element = page.locator('parley-chat');
  await element.getByRole('textbox', { name: 'Message', exact: true }).fill('How long?');
  await element.getByRole('button', { name: 'Send', exact: true }).click();
  const keyword = element.locator('.keyword');
  await expect(keyword).toHaveText('const');
  const colours = () =>
    keyword.evaluate((word) => [word, word.parentElement!].map((each) => getComputedStyle(each).color));
  const [coloured, plain] = await colours();
  expect(coloured).not.toBe(plain);
  const first = await element.getByRole('log').elementHandle();
  await element.evaluate((chat) => chat.setAttribute('history', ''));
  await expect.poll(() => first!.evaluate((log) => log.isConnected)).toBe(false);
  await expect(keyword).toHaveText('const');
  expect(await colours()).toEqual([coloured, plain]);
});

test('props of the React component reach its widget without making it anew', async ({ page, openScene }) => {
  await openScene('react');
  const field = page.getByRole('textbox', { name: 'Message', exact: true });
  await field.fill('half a sentence');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('fr');
  await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toHaveValue('half a sentence');
  await expect(page.getByRole('region', { name: 'Fern' })).toHaveAttribute('lang', 'fr');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('');
  await expect(page.getByRole('region', { name: 'Fern' })).toHaveAttribute('lang', 'en');
});
