import { expect, type Page } from '@playwright/test';
import { openFernhill } from '../chat.ts';
import { cutLinks } from '../link.ts';
import { blockStorage, cutNetwork, hide, goOnline, openSecond, test } from './resilience.ts';

const card = (page: Page) => page.getByRole('group', { name: 'Refund order' });
const approve = (page: Page) => card(page).getByRole('button', { name: 'Approve' });

test('an approval outlives the service, shows in both tabs, and is answered once for both', async ({
  page,
  demo,
  refunds,
}) => {
  const chat = await openFernhill(page, demo);
  await chat.say('Refund order 2001');
  await expect(card(page)).toContainText('2001');
  const other = await openSecond(page, demo);
  await expect(card(other.page)).toContainText('2001');
  await demo.killAndRestart();
  await page.reload();
  await expect(card(page)).toContainText('2001');
  expect(refunds).toEqual([]);
  await approve(other.page).click();
  for (const tab of [page, other.page]) {
    await expect(tab.getByRole('log')).toContainText('Approved: Refund order');
    await expect(tab.getByRole('log')).toContainText('Paid back.');
    await expect(card(tab)).toBeHidden();
  }
  expect(refunds).toEqual(['2001']);
});

test('an approval given offline says so, and is sent once when the network is back', async ({
  page,
  demo,
  refunds,
}) => {
  const chat = await openFernhill(page, demo);
  await chat.say('Refund order 2002');
  await expect(approve(page)).toBeEnabled();
  await cutNetwork(page);
  await approve(page).click();
  await expect(card(page)).toContainText('The connection failed.');
  expect(refunds).toEqual([]);
  await goOnline(page);
  await expect(chat.log).toContainText('Paid back.');
  expect(refunds).toEqual(['2002']);
});

test('who declines after all, offline, is heard', async ({ page, demo, refunds }) => {
  const chat = await openFernhill(page, demo);
  await chat.say('Refund order 2003');
  await expect(approve(page)).toBeEnabled();
  await cutNetwork(page);
  await approve(page).click();
  await expect(card(page)).toContainText('The connection failed.');
  await card(page).getByRole('button', { name: 'Decline' }).click();
  await expect(approve(page)).toBeDisabled();
  await goOnline(page);
  await expect(chat.log).toContainText('Declined: Refund order');
  expect(refunds).toEqual([]);
});

test('an approval whose receipt was lost is not given twice', async ({ page, demo, refunds, context }) => {
  const chat = await openFernhill(page, demo);
  await chat.say('Refund order 2004');
  await expect(approve(page)).toBeEnabled();
  let lost = 0;
  await context.route('**/v1/session/*', async (route) => {
    if (route.request().method() !== 'POST' || lost > 3) return route.fallback();
    lost++;
    await route.fetch();
    await route.abort();
  });
  await approve(page).click();
  await expect(chat.log).toContainText('Paid back.');
  await expect.poll(() => lost).toBe(4);
  expect(refunds).toEqual(['2004']);
  await expect(chat.log.locator('section.turn')).toHaveCount(2);
});

test('two tabs that approve at the same moment approve once', async ({ page, demo, refunds }) => {
  const chat = await openFernhill(page, demo);
  await chat.say('Refund order 2005');
  const other = await openSecond(page, demo);
  await expect(approve(page)).toBeEnabled();
  await expect(approve(other.page)).toBeEnabled();
  const both = Promise.withResolvers<void>();
  let asked = 0;
  await page.context().route('**/v1/session/*', async (route) => {
    if (route.request().method() === 'POST' && ++asked === 2) both.resolve();
    if (route.request().method() === 'POST') await both.promise;
    await route.continue();
  });
  const heard = [page, other.page].map((tab) =>
    tab.waitForResponse((response) => response.request().method() === 'POST'),
  );
  await approve(page).click();
  await approve(other.page).click();
  await Promise.all(heard);
  for (const tab of [chat, other.chat]) {
    await expect(tab.log).toContainText('Paid back.');
    await expect(tab.log.locator('section.turn')).toHaveCount(2);
  }
  expect(refunds).toEqual(['2005']);
});

test('an approval behind a closed panel is counted, until it is answered in another tab', async ({
  page,
  demo,
  refunds,
}) => {
  const chat = await openFernhill(page, demo);
  const other = await openSecond(page, demo);
  await chat.say('Refund order 2006');
  await expect(card(other.page)).toBeVisible();
  await page.keyboard.press('Escape');
  const launcher = page.getByRole('button', { name: 'Chat with Fern' });
  await expect(launcher).toHaveAttribute('data-badge', '1');
  await approve(other.page).click();
  await expect(other.chat.log).toContainText('Paid back.');
  await expect(launcher).not.toHaveAttribute('data-badge');
  expect(refunds).toEqual(['2006']);
});

test('in the background and without storage an approval outlives the connection, and is given once', async ({
  page,
  demo,
  refunds,
}) => {
  await blockStorage(page);
  const chat = await openFernhill(page, demo);
  await chat.say('Refund order 2007');
  await expect(card(page)).toContainText('2007');
  await hide(page);
  cutLinks();
  await approve(page).click();
  await expect(chat.log).toContainText('Paid back.');
  await expect(card(page)).toBeHidden();
  expect(refunds).toEqual(['2007']);
});
