import { expect, type Page } from '@playwright/test';
import { chatIn } from '../chat.ts';
import { test } from './landed.ts';
import { examples, named } from './readme.ts';

const position = async (page: Page, selector: string) => {
  const box = (await page.locator(selector).boundingBox())!;
  const { height } = page.viewportSize()!;
  return { left: box.x, bottom: height - box.y - box.height };
};
const attributes = (given: Record<string, string>) =>
  Object.entries(given)
    .map(
      ([name, value]) => `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}="${value}"`,
    )
    .join(' ');
const tagWith = (service: string, options: Record<string, string>) =>
  `<script async src="${service}/v1/parley.js" ${attributes({ key: 'pk_stage', ...options })}></script>`;

/** Every test says which options it sees to; together they are all. */
const tested = {
  bubble: [
    'key',
    'id',
    'name',
    'theme',
    'accent',
    'position',
    'locale',
    'offsetX',
    'offsetY',
    'zIndex',
    'labels',
  ],
  inline: ['mode', 'target'],
  own: ['launcher', 'teaser', 'history'],
};

test('no option is left out', () => {
  const rows = named('Script tag').filter((name) => /^[a-zA-Z]+$/.test(name));
  expect(rows.toSorted()).toEqual(Object.values(tested).flat().toSorted());
});

test('how a bubble looks, where it is and what it is called', async ({ page, landed }) => {
  const options = {
    id: 'sales',
    name: 'Fragen',
    theme: 'dark',
    accent: '#7c3aed',
    position: 'start',
    locale: 'de',
    offsetX: '40px',
    offsetY: '72px',
    zIndex: '7',
  };
  const authorized = page.waitForRequest('**/v1/config*');
  await landed.open(
    `<script>parleySettings = { name: 'Less', labels: { placeholder: 'Zu einer Bestellung…' } }</script>` +
      tagWith(landed.service, options),
  );
  const launcher = page.getByRole('button', { name: 'Fragen' });
  await expect(launcher).toBeVisible();
  expect(await position(page, '.launcher')).toEqual({ left: 40, bottom: 72 });
  const host = page.locator('[data-parley=sales]');
  expect(await host.evaluate((element) => getComputedStyle(element).zIndex)).toBe('7');
  const colour = () => launcher.evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(await colour()).toBe('rgb(124, 58, 237)');
  await launcher.click();
  const panel = page.getByRole('dialog');
  await expect(panel).toHaveAttribute('lang', 'de');
  await expect(panel).toHaveAttribute('data-theme', 'dark');
  await expect(panel.getByPlaceholder('Zu einer Bestellung…')).toBeVisible();
  await expect.poll(() => position(page, '.panel')).toMatchObject({ left: 40 });
  const request = await authorized;
  expect(request.url() + JSON.stringify(request.headers())).toContain('pk_stage');
  await landed.run(`await parley('sales.close')`);
  await expect(panel).toBeHidden();
});

test('where it is from a style sheet', async ({ page, landed }) => {
  const style = '--parley-offset-x: 32px; --parley-offset-y: 60px; --parley-z-index: 9';
  await landed.open(`<style>:root { ${style} }</style>${tagWith(landed.service, { position: 'start' })}`);
  await expect(page.locator('.launcher')).toBeVisible();
  expect(await position(page, '.launcher')).toEqual({ left: 32, bottom: 60 });
  const layer = page.locator('[data-parley]').evaluate((element) => getComputedStyle(element).zIndex);
  expect(await layer).toBe('9');
});

test('inline in a container', async ({ page, landed }) => {
  await landed.open(
    `<div id="chat" style="inline-size: 400px; block-size: 500px"></div>` +
      tagWith(landed.service, { mode: 'inline', target: '#chat' }),
  );
  await expect(page.locator('#chat').getByRole('region').getByRole('textbox')).toBeVisible();
  expect(await page.locator('.panel').boundingBox()).toMatchObject({ width: 400, height: 500 });
  await expect(page.locator('.launcher')).toHaveCount(0);
});

test('launchers of the page’s own', async ({ page, landed }) => {
  await landed.open(`<button class="help">Help</button>${tagWith(landed.service, { launcher: '.help' })}`);
  await expect(page.locator('.launcher')).toBeHidden();
  await page.getByRole('button', { name: 'Help' }).click();
  await expect(chatIn(page).field).toBeVisible();
});

test('a line beside the launcher', async ({ page, landed }) => {
  await landed.open(tagWith(landed.service, { teaser: 'Planning a trip?' }));
  await page.getByRole('button', { name: 'Planning a trip?' }).click();
  await expect(chatIn(page).field).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 780 } });

  test('Back closes the panel', async ({ page, landed }) => {
    await landed.open(
      `<script async src="${landed.service}/v1/parley.js" data-key="pk_stage" data-history></script>`,
    );
    await page.locator('.launcher').click();
    await expect(page.getByRole('dialog')).toHaveAttribute('aria-modal', 'true');
    await page.goBack();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(page.url()).toBe(`${landed.service}/landed`);
  });
});

test('the element: its example, its attributes, its methods and its widget', async ({ page, landed }) => {
  const example = examples('html', landed.service)[3]!;
  await landed.open(`<div style="block-size: 500px">${example}</div>`);
  const element = page.locator('parley-chat');
  const chat = chatIn(page);
  await expect(chat.field).toBeVisible();
  expect(await page.locator('.panel').boundingBox()).toMatchObject({ height: 500 });
  await landed.run(`
    const chat = document.querySelector('parley-chat');
    await chat.prefill('half a sentence');
    globalThis.before = chat.widget;
    for (const [name, value] of Object.entries({ locale: 'de', theme: 'dark', accent: '#0f766e', name: 'Fern' }))
      chat.setAttribute(name, value);`);
  await expect(element.getByRole('textbox', { name: 'Nachricht', exact: true })).toHaveValue(
    'half a sentence',
  );
  await expect(element.getByRole('region')).toHaveAttribute('data-theme', 'dark');
  expect(await page.evaluate(`before === document.querySelector('parley-chat').widget`)).toBe(true);
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await landed.run(`
    const chat = document.querySelector('parley-chat');
    await chat.widget.context({ page: 'Pricing' });
    await chat.send('Hello');`);
  expect((await sent).postDataJSON()).toMatchObject({ message: 'Hello', clientContext: { page: 'Pricing' } });

  await element.evaluate((chat) => chat.setAttribute('mode', 'bubble'));
  const launcher = page.getByRole('button', { name: 'Fern' });
  await expect(launcher).toBeVisible();
  for (const method of ['open', 'close', 'toggle']) {
    await landed.run(`await document.querySelector('parley-chat').${method}()`);
    await expect(launcher).toHaveAttribute('aria-expanded', String(method !== 'close'));
  }
  const host = await element.elementHandle();
  await element.evaluate((chat) => document.body.append(chat));
  await expect(launcher).toHaveAttribute('aria-expanded', 'true');
  await element.evaluate((chat) => chat.remove());
  await expect.poll(() => host!.evaluate((chat) => chat.shadowRoot!.childElementCount)).toBe(0);
});
