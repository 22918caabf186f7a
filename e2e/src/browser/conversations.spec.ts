import { expect, type Page } from '@playwright/test';
import { type Chat, chatIn, heard, menuOf, openFernhill, sessionOf } from './chat.ts';
import { type RunningDemo, test } from './running-demo.ts';
import { identify, identitySecret, sign } from './visitor-token.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const list = (page: Page) => page.getByRole('region', { name: 'Conversations' });
const entries = (page: Page) => list(page).getByRole('listitem');

test.beforeEach(async ({ demo, script }) => {
  await demo.configure({ identity: { secret: identitySecret } });
  await script(heard);
});

async function openAs(page: Page, visitor: string, demo: RunningDemo): Promise<Chat> {
  const chat = await openFernhill(page, demo);
  await identify(page, sign(visitor, demo.agentId));
  return chat;
}

async function openList(page: Page) {
  await menuOf(page).click();
  await button(page, 'Conversations').click();
  await expect(list(page)).toBeVisible();
}

async function talk(chat: Chat, text: string) {
  await chat.say(text);
  await expect(chat.log).toContainText(`Heard: ${text}`);
}

test('a conversation begun on one device goes on on another', async ({ page, demo, browser }) => {
  const computer = await openAs(page, 'ada-1', demo);
  await talk(computer, 'The first matter');
  await page.getByRole('dialog').getByRole('button', { name: 'New conversation' }).click();
  await talk(computer, 'The second matter');

  const telephone = await browser.newContext();
  try {
    const there = await telephone.newPage();
    const chat = await openAs(there, 'ada-1', demo);
    await expect(chat.log).not.toContainText('matter');
    await openList(there);
    await expect(entries(there)).toHaveText([/^The second matter/, /^The first matter/]);
    await expect(entries(there).locator('time').first()).toHaveAttribute('datetime', /^\d{4}-.*Z$/);
    await expect(list(there).locator('[aria-current]')).toHaveCount(0);
    await entries(there).nth(1).getByRole('button').click();
    await expect(list(there)).toHaveCount(0);
    await expect(chat.log).toContainText('Heard: The first matter');
    await expect(chat.field).toBeFocused();
    await talk(chat, 'Said on the telephone');

    await openList(page);
    await expect(list(page).locator('[aria-current]')).toContainText('The second matter');
    await entries(page).filter({ hasText: 'The first matter' }).getByRole('button').click();
    await expect(computer.log).toContainText('Heard: Said on the telephone');
    await talk(computer, 'Said on the computer');
    await expect(chat.log).toContainText('Heard: Said on the computer');
    await there.reload();
    await identify(there, sign('ada-1', demo.agentId));
    await expect(chat.log).toContainText('Heard: Said on the computer');
  } finally {
    await telephone.close();
  }
});

test('the list is for the keyboard too: it opens, moves, goes back and closes as one expects', async ({
  page,
  demo,
}) => {
  const chat = await openAs(page, 'ada-2', demo);
  await talk(chat, 'One');
  await chat.field.fill('a draft');
  await page.getByRole('dialog').getByRole('button', { name: 'New conversation' }).click();
  await talk(chat, 'Two');
  await menuOf(page).press('Enter');
  await button(page, 'Conversations').press('Enter');
  await expect(button(page, 'Back')).toBeFocused();
  await expect(chat.log).toHaveCount(0);
  await entries(page).first().getByRole('button').focus();
  await page.keyboard.press('ArrowDown');
  await expect(entries(page).nth(1).getByRole('button')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(entries(page).first().getByRole('button')).toBeFocused();

  // Escape closes what is nearest: the menu, the list, the panel.
  await menuOf(page).press('Enter');
  await expect(page.getByText('Sound for new answers')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menuOf(page)).toBeFocused();
  await expect(page.getByText('Sound for new answers')).toBeHidden();
  await expect(list(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(list(page)).toHaveCount(0);
  await expect(menuOf(page)).toBeFocused();
  await expect(chat.log).toContainText('Heard: Two');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(button(page, 'Chat with Fern')).toBeFocused();

  await page.keyboard.press('Enter');
  await openList(page);
  await entries(page).first().getByRole('button').press('Enter');
  await expect(chat.log).toContainText('Heard: Two');
  await expect(chat.field).toBeFocused();
});

test('an anonymous visitor has no list; what they said becomes theirs with the first identify', async ({
  page,
  demo,
}) => {
  const chat = await openFernhill(page, demo);
  await talk(chat, 'Before I was known');
  await menuOf(page).click();
  await expect(button(page, 'Download transcript')).toBeVisible();
  await expect(button(page, 'Conversations')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await identify(page, sign('ada-3', demo.agentId));
  await openList(page);
  await expect(entries(page)).toHaveText([/^Before I was known/]);
  await expect(entries(page)).toContainText('Open here');
});

test('without conversations the list says so and a new one begins there', async ({ page, demo }) => {
  const chat = await openAs(page, 'ada-4', demo);
  await openList(page);
  await expect(list(page)).toContainText('No conversations yet.');
  await list(page).getByRole('button', { name: 'New conversation' }).click();
  await expect(chat.field).toBeFocused();
  await talk(chat, 'Hello');
});

test('an ended conversation is marked, can be read, and cannot be written to', async ({ page, demo }) => {
  const chat = await openAs(page, 'ada-5', demo);
  await talk(chat, 'To be ended');
  const { sessionId, continuationToken } = await sessionOf(page);
  const ended = await fetch(`${demo.service}/parley/v1/session/${sessionId}/end`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.secretKey}` },
    body: JSON.stringify({ continuationToken }),
  });
  expect(ended.status).toBe(200);
  await list(page)
    .or(page.getByRole('button', { name: 'New conversation' }).first())
    .click();
  await openList(page);
  await expect(entries(page)).toContainText('Ended');
  await entries(page).getByRole('button').click();
  await expect(chat.log).toContainText('Heard: To be ended');
  await expect(chat.log).toBeFocused();
  await expect(chatIn(page).field).toHaveCount(0);
});

test('a list that does not come is said and tried again; a long one comes in pages', async ({
  page,
  demo,
}) => {
  const chat = await openAs(page, 'ada-6', demo);
  for (let index = 0; index < 3; index++) {
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'New conversation' })
      .or(chat.field)
      .first()
      .click();
    await talk(chat, `Matter ${index}`);
  }
  await page.route('**/v1/session?*', (route) => route.abort());
  await openList(page);
  await expect(list(page)).toContainText('The connection failed.');
  await page.unroute('**/v1/session?*');
  // Of pages of two: the service's own are of twenty.
  await page.route('**/v1/session?*', (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set('limit', '2');
    return route.continue({ url: url.href });
  });
  await button(page, 'Try again').click();
  await expect(entries(page)).toHaveText([/^Matter 2/, /^Matter 1/]);
  await button(page, 'Show more').press('Enter');
  await expect(entries(page)).toHaveText([/^Matter 2/, /^Matter 1/, /^Matter 0/]);
  await expect(entries(page).nth(2).getByRole('button')).toBeFocused();
  await expect(button(page, 'Show more')).toHaveCount(0);
});

test('who has begun a new conversation can go back to the last one, also after a reload', async ({
  page,
  demo,
}) => {
  const chat = await openFernhill(page, demo);
  await talk(chat, 'My bell is broken');
  await expect(page.locator('.resume')).toHaveCount(0);
  const begin = page.getByRole('dialog').getByRole('button', { name: 'New conversation' });
  await begin.click();
  await page.reload();
  const resume = page.getByRole('button', { name: /^My bell is broken.*Continue/ });
  await expect(resume).toBeVisible();
  await expect(resume.locator('time')).toHaveAttribute('datetime', /Z$/);
  await resume.click();
  await expect(chat.log).toContainText('Heard: My bell is broken');
  await expect(chat.field).toBeFocused();
  await talk(chat, 'It is mended');
  await begin.click();
  await expect(resume).toBeVisible();
  // What is deleted is not offered.
  await resume.click();
  await menuOf(page).click();
  await button(page, 'Delete this conversation').click();
  await button(page, 'Delete').click();
  await expect(page.getByText('This conversation has been deleted.')).toBeVisible();
  await expect(page.locator('.prompt').first()).toBeVisible();
  await expect(resume).toHaveCount(0);
});

test('a visitor deletes all conversations after a question, and sees how many are gone', async ({
  page,
  demo,
}) => {
  const chat = await openAs(page, 'ada-all', demo);
  const begin = page.getByRole('dialog').getByRole('button', { name: 'New conversation' });
  for (const text of ['one', 'two', 'three']) {
    if (await begin.isVisible()) await begin.click();
    await talk(chat, text);
  }
  const { sessionId } = await sessionOf(page);
  // The last of them does not come back at once.
  const third = Promise.withResolvers<void>();
  let deletions = 0;
  await page.route('**/v1/session/*', async (route) => {
    if (route.request().method() === 'DELETE' && ++deletions === 3) await third.promise;
    await route.continue();
  });
  await menuOf(page).click();
  await button(page, 'Delete all my conversations').click();
  await expect(page.getByText('All your conversations and their files will be deleted')).toBeVisible();
  await expect(button(page, 'Cancel')).toBeFocused();
  await button(page, 'Delete').click();
  await expect(page.getByText('2 conversations deleted so far.')).toBeVisible();
  third.resolve();
  await expect(page.getByText('All your conversations have been deleted.')).toBeVisible();
  await expect(menuOf(page)).toBeFocused();
  await expect(chat.log).not.toContainText('Heard');
  await expect(page.locator('.resume')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await openList(page);
  await expect(page.getByText('No conversations yet.')).toBeVisible();
  expect(
    await page.evaluate((id) => Object.values<string>(localStorage).join().includes(id), sessionId),
  ).toBe(false);
});
