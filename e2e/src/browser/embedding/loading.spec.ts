import { expect } from '@playwright/test';
import { chatIn } from '../chat.ts';
import { talk, test } from './scene.ts';

test('the launcher costs one request to the service, and the panel two more', async ({
  page,
  demo,
  openScene,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin !== demo.url) asked.push(origin === demo.service ? pathname : request.url());
  });
  await openScene('calm');
  await expect(page.getByRole('button', { name: 'Chat with Fern' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(asked).toEqual(['/v1/parley.js']);
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  await expect(chatIn(page).field).toBeEnabled();
  expect(asked.slice(1, 3)).toEqual([expect.stringMatching(/^\/assets\/panel-[\w-]+\.js$/), '/v1/config']);
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
