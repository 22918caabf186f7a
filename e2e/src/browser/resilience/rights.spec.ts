import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { chatIn, heard, menuOf, openFernhill, sessionOf } from '../chat.ts';
import { cutLinks } from '../link.ts';
import { parley } from '../parley.ts';
import { blockStorage, cutNetwork, hide, goOnline, openSecond, show, stored, test } from './resilience.ts';

const item = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function choose(page: Page, name: string) {
  await menuOf(page).click();
  await item(page, name).click();
}

async function transcriptOf(page: Page): Promise<string> {
  const download = page.waitForEvent('download');
  await choose(page, 'Download transcript');
  return readFile(await (await download).path(), 'utf8');
}

/** Printing opens no dialog, but leaves its mark. */
const notePrinting = (page: Page) =>
  page.addInitScript(() => {
    globalThis.print = () => document.documentElement.toggleAttribute('data-printing', true);
  });

async function statusOf(demo: { service: string; secretKey: string }, sessionId: string) {
  const answer = await fetch(`${demo.service}/parley/v1/session/${sessionId}/transcript?format=text`, {
    headers: { authorization: `Bearer ${demo.secretKey}` },
  });
  await answer.body?.cancel();
  return answer.status;
}

test.beforeEach(({ script }) => script(heard));

test('a conversation is read, printed, taken along and deleted through a lost connection and a cut network, in every tab', async ({
  page,
  demo,
}) => {
  await notePrinting(page);
  const chat = await openFernhill(page, demo);
  await chat.say('My name is Wilhelmina');
  await expect(chat.log).toContainText('Heard: My name is Wilhelmina');
  const other = await openSecond(page, demo);
  await expect(other.chat.log).toContainText('Wilhelmina');
  await page.bringToFront();
  const { sessionId } = await sessionOf(page);
  // A transcript has an answer once it has ended, as shows what is offered under it.
  await expect(chat.log.getByRole('button', { name: 'Good answer' })).toBeVisible();
  cutLinks();
  expect(await transcriptOf(page)).toContain('Heard: My name is Wilhelmina');

  await cutNetwork(page);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await expect(page.getByRole('dialog')).toContainText('AI assistant');
  await choose(page, 'Print transcript');
  await expect(page.locator('html')).toHaveAttribute('data-printing');
  await expect(page.locator('#parley-print .panel')).toContainText('Heard: My name is Wilhelmina');
  await choose(page, 'Download transcript');
  await expect(page.getByText('The connection failed.')).toBeVisible();
  await item(page, 'Delete this conversation').click();
  await item(page, 'Delete').click();
  await expect(page.getByText('The connection failed. The deletion could not be confirmed.')).toBeVisible();
  for (const tab of [chat, other.chat]) await expect(tab.log).toContainText('Wilhelmina');

  await other.chat.field.fill('Wilhelmina again');
  await hide(other.page);
  await goOnline(page);
  cutLinks();
  expect(await statusOf(demo, sessionId)).toBe(200);
  await item(page, 'Try again').click();
  await expect(page.getByText('This conversation has been deleted.')).toBeVisible();
  expect(await statusOf(demo, sessionId)).toBe(404);
  for (const tab of [chat, other.chat]) {
    await expect(tab.log).not.toContainText('Wilhelmina');
    await expect(tab.field).toHaveValue('');
  }
  await expect.poll(() => stored(page)).toEqual([]);
  await show(other.page);
  await other.page.reload();
  await other.chat.say('Who was here?');
  for (const tab of [chat, other.chat]) {
    await expect(tab.log).toContainText('Heard: Who was here?');
    await expect(tab.log).not.toContainText('Wilhelmina');
  }
});

test('what is deleted in the middle of an answer, with a message waiting, stays deleted', async ({
  page,
  demo,
  script,
}) => {
  await script([{ when: 'tick', steps: [{ say: 'tick ', repeat: 2_000, delayMs: 20 }] }, ...heard]);
  const chat = await openFernhill(page, demo);
  await chat.say('Tick');
  await expect(chat.log).toContainText('tick tick tick');
  const { sessionId } = await sessionOf(page);
  await page.route('**/v1/session*/**', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  );
  const tried = page.waitForEvent('requestfailed', (request) => request.method() === 'POST');
  await chat.say('Wilhelmina’s secret');
  await tried;
  // What was done is not told.
  await page.route(`**/v1/session/${sessionId}`, async (route) => {
    if (route.request().method() !== 'DELETE') return route.fallback();
    await route.fetch();
    return route.abort();
  });
  await choose(page, 'Delete this conversation');
  await item(page, 'Delete').click();
  await expect(page.getByText('The deletion could not be confirmed.')).toBeVisible();
  expect(await statusOf(demo, sessionId)).toBe(404);
  await page.unrouteAll({ behavior: 'wait' });
  cutLinks();
  await page
    .getByRole('group', { name: 'Delete this conversation' })
    .getByRole('button', { name: 'Try again' })
    .click();
  await expect(page.getByText('This conversation has been deleted.')).toBeVisible();
  await expect(chat.log).not.toContainText(/tick|Wilhelmina/);
  await expect.poll(() => stored(page)).toEqual([]);
  expect(await statusOf(demo, sessionId)).toBe(404);
  await page.keyboard.press('Escape');
  await chat.say('Once more');
  await expect(chat.log).toContainText('Heard: Once more');
  await expect(chat.log).not.toContainText('Wilhelmina');
});

test('where storage is blocked a conversation is taken along and deleted all the same', async ({
  page,
  demo,
}) => {
  await blockStorage(page);
  const chat = await openFernhill(page, demo);
  const begun = page.waitForResponse((response) => response.request().method() === 'POST');
  await chat.say('My name is Wilhelmina');
  const sessionId = (await begun).headers()['x-parley-session-id']!;
  // What is offered under an answer that has ended.
  await expect(chat.log.getByRole('button', { name: 'Good answer' })).toBeVisible();
  cutLinks();
  expect(await transcriptOf(page)).toContain('Heard: My name is Wilhelmina');
  await choose(page, 'Delete this conversation');
  await item(page, 'Delete').click();
  await expect(page.getByText('This conversation has been deleted.')).toBeVisible();
  expect(await statusOf(demo, sessionId)).toBe(404);
  await page.keyboard.press('Escape');
  await chat.say('Once more');
  await expect(chat.log).toContainText('Heard: Once more');
  await expect(chat.log).not.toContainText('Wilhelmina');
});

const consent = { text: 'What you write is kept for 30 days.' };
const form = { fields: [{ name: 'name', label: 'Your name', required: true }] };
const agree = (page: Page) => page.getByRole('button', { name: 'Agree and start' });

/** Asks visitors for this before the first message, until the test ends. */
const gated = test.extend<{ ask: (widget: object) => Promise<void> }>({
  ask: async ({ demo }, use) => {
    await use(async (widget) => void (await demo.configure({ widget })));
    await demo.configure({ widget: { consent: null, form: null } });
  },
});
/** The messages that leave a page, and what goes with them. */
function messagesOf(page: Page) {
  const messages: { message: string; clientContext?: object }[] = [];
  page.on('response', (response) => {
    const request = response.request();
    const body = request.postDataJSON() as (typeof messages)[number] | null;
    if (body?.message) messages.push(body);
  });
  return messages;
}

gated(
  'what is begun before the first message outlives the connection, is agreed to offline, and holds in a hidden tab',
  async ({ page, demo, ask }) => {
    await ask({ consent, form });
    const messages = messagesOf(page);
    await page.goto(`${demo.url}/fernhill/`);
    await page.getByRole('button', { name: 'Chat with Fern' }).click();
    await expect(page.getByText('You are talking to an AI.')).toBeVisible();
    await expect(agree(page)).toBeVisible();
    expect(await stored(page)).toEqual([]);
    await page.getByLabel('Your name').fill('Ada');
    const other = await page.context().newPage();
    await other.goto(`${demo.url}/fernhill/`);
    await other.getByRole('button', { name: 'Chat with Fern' }).click();
    await expect(agree(other)).toBeVisible();
    await hide(other);
    await page.bringToFront();
    cutLinks();
    await expect(page.getByLabel('Your name')).toHaveValue('Ada');

    await cutNetwork(page);
    await agree(page).click();
    const chat = chatIn(page);
    await expect(chat.field).toBeFocused();
    await chat.say('Hello');
    await expect(chat.log).toContainText('Hello');
    await expect(chatIn(other).field).toBeVisible();
    await goOnline(page);
    await expect(chat.log).toContainText('Heard: Hello');
    cutLinks();
    await show(other);
    await chatIn(other).say('Again');
    for (const tab of [page, other]) await expect(chatIn(tab).log).toContainText('Heard: Again');
    expect(messages).toEqual([
      expect.objectContaining({ message: 'Hello', clientContext: { visitor: { name: 'Ada' } } }),
    ]);
    await other.reload();
    await expect(chatIn(other).log).toContainText('Heard: Again');
    await other.getByRole('button', { name: 'New conversation' }).click();
    await expect(chatIn(other).field).toBeVisible();
    await expect(agree(other)).toHaveCount(0);
  },
);

gated(
  'what a page asks in the visitor’s name waits for their consent, outlives the connection, and is sent once',
  async ({ page, demo, ask }) => {
    await ask({ consent });
    const messages = messagesOf(page);
    const prompt = page.getByRole('button', { name: 'Where is order 1042?' });
    const chat = chatIn(page);
    await page.goto(`${demo.url}/scenes/script-tag.html`);
    await prompt.click();
    await expect(agree(page)).toBeVisible();
    cutLinks();
    await expect(agree(page)).toBeVisible();
    expect(await stored(page)).toEqual([]);
    await expect(page.locator('#heard')).not.toContainText('parley:message');

    await cutNetwork(page);
    await agree(page).click();
    await expect(chat.log).toContainText('Where is order 1042?');
    await goOnline(page);
    await expect(chat.log).toContainText('Heard: Where is order 1042?');
    await page.reload();
    await expect(chat.log).toContainText('Heard: Where is order 1042?');
    // Now nothing is to be waited for.
    await prompt.click();
    await expect(chat.log.getByText('Heard: Where is order 1042?')).toHaveCount(2);

    // What waits for somebody who leaves is not sent for whoever comes next.
    await parley(page, 'logout');
    await expect(agree(page)).toBeVisible();
    await prompt.click();
    await parley(page, 'logout');
    await agree(page).click();
    await chat.say('Mine');
    await expect(chat.log).toContainText('Heard: Mine');
    await expect(chat.log).not.toContainText('order');
    await expect
      .poll(() => messages.map(({ message }) => message))
      .toEqual(['Where is order 1042?', 'Where is order 1042?', 'Mine']);
  },
);

test('what is deleted in one tab with a message waiting is not kept by another', async ({ page, demo }) => {
  const chat = await openFernhill(page, demo);
  await chat.say('Hello');
  await expect(chat.log).toContainText('Heard: Hello');
  const { sessionId } = await sessionOf(page);
  const other = await openSecond(page, demo);
  await expect(other.chat.log).toContainText('Heard: Hello');
  await page.bringToFront();
  await page.route(`**/v1/session/${sessionId}`, (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  );
  await chat.say('Wilhelmina’s secret');
  await expect(chat.log).toContainText('Not sent');
  await menuOf(page).click();
  await item(page, 'Delete this conversation').click();
  await item(page, 'Delete').click();
  await expect(page.getByText('This conversation has been deleted.')).toBeVisible();
  for (const tab of [chat, other.chat]) await expect(tab.log).not.toContainText(/Heard|secret/);
  await expect.poll(() => stored(page)).toEqual([]);
  await page.unrouteAll();
  await page.reload();
  await chat.say('Once more');
  for (const tab of [chat, other.chat]) {
    await expect(tab.log).toContainText('Heard: Once more');
    await expect(tab.log).not.toContainText('secret');
  }
});

gated(
  'what a page prefills is stored nowhere before the visitor agrees and makes it theirs',
  async ({ page, demo, ask }) => {
    await ask({ consent });
    await page.goto(`${demo.url}/scenes/script-tag.html`);
    await page.getByRole('button', { name: 'Write for me' }).click();
    await expect(agree(page)).toBeVisible();
    await page.goto(`${demo.url}/scenes/script-tag.html`);
    expect(await stored(page)).toEqual([]);
    await page.getByRole('button', { name: 'Write for me' }).click();
    await agree(page).click();
    await expect(chatIn(page).field).toHaveValue('When are you open?');
    await chatIn(page).field.press('End');
    await chatIn(page).field.pressSequentially(' Today?');
    await page.reload();
    await expect(chatIn(page).field).toHaveValue('When are you open? Today?');
  },
);
