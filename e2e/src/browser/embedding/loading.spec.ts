import { expect } from '@playwright/test';
import { chatIn, heard } from '../chat.ts';
import { startMockService } from '../mock-service.ts';
import { overNetwork } from '../over-network.ts';
import { talk, test } from './scene.ts';

test('the launcher costs one request to the service, the panel another, and nothing is fetched twice', async ({
  page,
  demo,
  openScene,
  script,
}) => {
  await script(heard);
  const addresses = await overNetwork(page);
  const asked = () =>
    addresses
      .filter((address) => !address.startsWith(demo.url))
      .map((address) => address.replace(demo.service, '').replace(/\?.*/, ''))
      .filter((address) => !address.startsWith('/parley/v1/session'));
  await openScene('calm');
  await expect(page.getByRole('button', { name: 'Chat with Fern' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(asked()).toEqual(['/v1/parley.js']);
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  await expect(chatIn(page).field).toBeEnabled();
  await expect(page.getByRole('dialog').getByLabel('Menu')).toBeVisible();
  const asset = (part: string) => expect.stringMatching(new RegExp(`^/assets/${part}-[\\w-]+\\.js$`));
  const later = ['cards', 'text', 'parts', 'thread', 'shell', 'serving', 'controls'];
  const parts = ['panel', ...later].map(asset);
  await expect.poll(asked).toHaveLength(10);
  // What would be fetched anew would be so by the end of an answer.
  await chatIn(page).say('Hello');
  await expect(chatIn(page).log.getByRole('button', { name: 'Good answer' })).toBeVisible();
  const [, first, ...others] = asked();
  expect(first).toEqual(parts[0]);
  expect(others).toHaveLength(9);
  expect(others).toEqual(expect.arrayContaining([...parts.slice(1), '/v1/config', asset('rating')]));
});

test('a panel that does not come is an event, and comes the next time', async ({ page, demo }) => {
  await page.goto(`${demo.url}/scenes/script-tag.html`);
  const help = page.getByRole('link', { name: 'Help' });
  await page.route('**/assets/panel-*.js', (route) => route.abort());
  await help.click();
  await expect(page.locator('#heard')).toContainText('parley:error {"code":"PANEL"');
  await page.unroute('**/assets/panel-*.js');
  await help.click();
  await expect(chatIn(page).field).toBeVisible();
});

test('an inline panel that does not come has no launcher to press, and comes by itself', async ({
  page,
  demo,
}) => {
  const panel = '**/assets/panel-*.js';
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/assets/panel-'));
  await page.route(panel, (route) => route.abort());
  await page.goto(`${demo.url}/scenes/inline.html`);
  await failed;
  await page.unroute(panel);
  await expect(chatIn(page).field).toBeVisible();
});

test('an inline panel that has not come for long is tried for as often as before', async ({ page }) => {
  const mock = await startMockService({ attributes: 'data-mode="inline"' });
  const panel = '**/assets/panel-*.js';
  await page.clock.install();
  await page.addInitScript(() => {
    let count = 0;
    addEventListener('parley:error', () =>
      document.documentElement.setAttribute('data-failed', `${++count}`),
    );
  });
  await page.route(panel, (route) => route.abort());
  await page.goto(mock.url);
  for (let attempt = 1; attempt <= 10; attempt++) {
    await expect(page.locator('html')).toHaveAttribute('data-failed', String(attempt));
    await page.clock.fastForward(20_000);
  }
  await page.unroute(panel);
  await page.clock.fastForward(20_000);
  await expect(chatIn(page).field).toBeVisible();
  await mock.close();
});

test('who comes back to a conversation learns what is new without opening it', async ({
  page,
  openScene,
  script,
  finishRoads,
}) => {
  const look = { call: 'check_roads', input: { region: 'all' } };
  await script([{ steps: [{ say: 'One moment, please. ' }, look, { say: 'It will be ready on Friday.' }] }]);
  await openScene('calm');
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  const chat = chatIn(page);
  await chat.say('When?');
  await expect(chat.log).toContainText('One');
  await chat.field.press('Escape');
  finishRoads();
  await openScene('dark');
  const launcher = page.getByRole('button', { name: 'Chat with Fern' });
  await expect(launcher).toHaveAttribute('data-badge', '1');
  await launcher.click();
  await expect(chat.log).toContainText('Friday');
  await expect(launcher).not.toHaveAttribute('data-badge');
});

test('the page’s own accent colours and variables do not reach the launcher before its panel', async ({
  page,
  openScene,
}) => {
  const colourIn = async (scene: string) => {
    await openScene(scene);
    return page
      .getByRole('button', { name: 'Chat with Fern' })
      .evaluate((launcher) => getComputedStyle(launcher).backgroundColor);
  };
  expect(await colourIn('hostile')).toBe(await colourIn('calm'));
});

test('a page from the browser’s memory still has its widget', async ({ page, demo, openScene }) => {
  await openScene('calm');
  await talk(page);
  await page.goto(`${demo.url}/scenes/`);
  await page.goBack();
  const chat = chatIn(page);
  await expect(chat.log.getByRole('cell', { name: '9:00 to 16:00' })).toBeVisible();
  await chat.say('My name is Ada');
  await expect(chat.log).toContainText('Nice to meet you, Ada');
});
