import { expect, type Page } from '@playwright/test';
import { openFernhill } from '../chat.ts';
import { cutNetwork, goOnline, openSecond, test } from './resilience.ts';

const choose = (page: Page, option: string) => page.getByRole('button', { name: option }).click();
const submit = (page: Page) => page.getByRole('button', { name: 'Answer', exact: true }).click();

test('an answer written offline is kept, and sent when the network is back', async ({ page, demo }) => {
  const chat = await openFernhill(page, demo);
  await chat.say('Which bike suits me?');
  await choose(page, 'Other…');
  const words = page.getByRole('textbox', { name: 'Your answer' });
  await words.fill('along the canal');
  await cutNetwork(page);
  await submit(page);
  await expect(chat.log).toContainText('The connection failed.');
  await expect(words).toHaveValue('along the canal');
  await goOnline(page);
  await expect(chat.log).toContainText('For along the canal I would try two bikes');
  await expect(chat.log.getByText('You answered: along the canal')).toHaveCount(1);
});

test('a question outlives the service; what one tab answers the other shows', async ({ page, demo }) => {
  const chat = await openFernhill(page, demo);
  await chat.say('Which bike suits me?');
  await expect(page.getByRole('button', { name: 'On tour' })).toBeVisible();
  const other = await openSecond(page, demo);
  await expect(other.page.getByRole('button', { name: 'On tour' })).toBeVisible();
  await demo.killAndRestart();
  await choose(other.page, 'On tour');
  for (const tab of [chat, other.chat]) {
    await expect(tab.log).toContainText('You answered: On tour');
    await expect(tab.log).toContainText('For long tours I would try two bikes');
  }
});

test('whoever answers a question that another tab has answered meanwhile is shown that answer', async ({
  page,
  demo,
}) => {
  const chat = await openFernhill(page, demo);
  await chat.say('Which bike suits me?');
  await expect(page.getByRole('button', { name: 'In the city' })).toBeVisible();
  const other = await openSecond(page, demo);
  await page.route('**/v1/session/*', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await choose(other.page, 'On gravel');
    await expect(other.chat.log).toContainText('For gravel tracks I would try two bikes');
    await route.continue();
  });
  const late = page.waitForResponse((response) => response.request().method() === 'POST');
  await choose(page, 'In the city');
  await late;
  await expect(chat.log).toContainText('You answered: On gravel');
  await expect(chat.log).toContainText('For gravel tracks I would try two bikes');
  await expect(page.getByRole('button', { name: 'In the city' })).toHaveCount(0);
});
