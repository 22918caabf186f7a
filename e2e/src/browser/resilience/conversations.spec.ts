import { expect, type Page } from '@playwright/test';
import { type Chat, heard, menuOf, openFernhill, sessionOf } from '../chat.ts';
import { cutLinks } from '../link.ts';
import type { RunningDemo } from '../running-demo.ts';
import { blockStorage, cutNetwork, hide, keptOf, goOnline, openSecond, show } from './resilience.ts';
import { test, duringOutage } from './resilience.ts';
import { identify, identitySecret, sign } from '../visitor-token.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const list = (page: Page) => page.getByRole('region', { name: 'Conversations' });
const entry = (page: Page, text: string) => list(page).getByRole('button', { name: text });
const begin = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'New conversation' });

test.beforeEach(async ({ demo, script }) => {
  await demo.configure({ identity: { secret: identitySecret } });
  await script(heard);
});

/** Two conversations of this visitor, the second of which is open. */
async function openTwo(page: Page, visitor: string, demo: RunningDemo): Promise<Chat> {
  const chat = await openFernhill(page, demo);
  await identify(page, sign(visitor, demo.agentId));
  await chat.say('The first matter');
  await expect(chat.log).toContainText('Heard: The first matter');
  await begin(page).click();
  await chat.say('The second matter');
  await expect(chat.log).toContainText('Heard: The second matter');
  return chat;
}

async function openList(page: Page) {
  await menuOf(page).click();
  await button(page, 'Conversations').click();
}

test('a list asked for while the service is away says so; what is chosen and said offline holds in every tab, once', async ({
  page,
  demo,
}) => {
  const chat = await openTwo(page, 'ada-list', demo);
  const second = await sessionOf(page);
  const other = await openSecond(page, demo);
  await identify(other.page, sign('ada-list', demo.agentId));
  await expect(other.chat.log).toContainText('Heard: The second matter');
  await page.bringToFront();
  await hide(other.page);
  await openList(page);
  await expect(list(page).getByRole('listitem')).toHaveCount(2);
  await button(page, 'Back').click();
  await duringOutage(page, demo, async () => {
    await openList(page);
    await expect(list(page)).toContainText('The connection failed.');
  });
  await button(page, 'Try again').click();
  await expect(list(page).getByRole('listitem')).toHaveText([/^The second matter/, /^The first matter/]);

  await cutNetwork(page);
  await entry(page, 'The first matter').click();
  await expect(page.getByText('You are offline.')).toBeVisible();
  await chat.say('Said offline');
  await expect(chat.log).toContainText('Waits for the connection');
  await goOnline(page);
  await show(other.page);
  for (const tab of [chat, other.chat]) {
    await expect(tab.log).toContainText('Heard: Said offline');
    await expect(tab.log).toContainText('Heard: The first matter');
    await expect(tab.log).not.toContainText('second');
  }
  const first = await sessionOf(page);
  expect((await keptOf(demo, first.sessionId)).messages).toEqual(['The first matter', 'Said offline']);
  expect((await keptOf(demo, second.sessionId)).messages).toEqual(['The second matter']);

  await hide(page);
  await cutNetwork(page);
  await begin(page).click();
  await chat.say('The third matter');
  await expect(chat.log).toContainText('Waits for the connection');
  await goOnline(page);
  for (const tab of [chat, other.chat]) {
    await expect(tab.log).toContainText('Heard: The third matter');
    await expect(tab.log).not.toContainText('first');
  }
  await show(page);
  await openList(page);
  await expect(list(page).getByRole('listitem')).toHaveText([/^The third/, /^The second/, /^The first/]);
});

test('where storage is blocked the list brings a conversation back, also after the connection was lost', async ({
  page,
  demo,
}) => {
  await blockStorage(page);
  const chat = await openTwo(page, 'ada-blocked', demo);
  cutLinks();
  await openList(page);
  await entry(page, 'The first matter').click();
  await expect(chat.log).toContainText('Heard: The first matter');
  await chat.say('Going on');
  await expect(chat.log).toContainText('Heard: Going on');
  await page.reload();
  await button(page, 'Chat with Fern').click();
  await identify(page, sign('ada-blocked', demo.agentId));
  await openList(page);
  await entry(page, 'The first matter').click();
  await expect(chat.log.getByText('Heard: Going on')).toHaveCount(1);
});
