import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { chatIn, heard, menuOf, openFernhill, sessionOf } from './chat.ts';
import { talk, test as scenes } from './embedding/scene.ts';
import { test } from './running-demo.ts';
import { startMockService, strictPolicy } from './mock-service.ts';
import { parley } from './parley.ts';
import { asked, ended, said } from './recorded-turns.ts';
import { enter } from './states.ts';
import { identify, identitySecret, sign } from './visitor-token.ts';

const item = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function choose(page: Page, name: string) {
  await menuOf(page).click();
  await item(page, name).click();
}

/** A transcript has an answer once it has ended, as shows what is offered under it. */
const hasEnded = (log: Locator) => expect(log.getByRole('button', { name: 'Good answer' })).toBeVisible();

scenes('under a strict policy the transcript comes as a file', async ({ page, openScene }) => {
  await openScene('strict');
  const { log } = await talk(page);
  await hasEnded(log);
  const download = page.waitForEvent('download');
  await choose(page, 'Download transcript');
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^conversation-\d{4}-\d\d-\d\d\.txt$/);
  const text = await readFile(await file.path(), 'utf8');
  expect(text).toContain('When are you open?');
  expect(text).toContain('9:00 to 16:00');
  await expect(item(page, 'Download transcript')).toBeHidden();
  await expect(menuOf(page)).toBeFocused();
});

scenes('in a frame too, and it can be printed there', async ({ page, openScene }) => {
  await page.addInitScript(() => {
    globalThis.print = () => document.documentElement.toggleAttribute('data-printing', true);
  });
  await openScene('iframe');
  const frame = page.frameLocator('iframe');
  const chat = chatIn(frame);
  await chat.say('When are you open?');
  await expect(chat.log.getByRole('cell', { name: '9:00 to 16:00' })).toBeVisible();
  await hasEnded(chat.log);
  const openMenu = () => frame.locator('summary[aria-label="Menu"]').click();
  await openMenu();
  const download = page.waitForEvent('download');
  await frame.getByRole('button', { name: 'Download transcript' }).click();
  expect(await readFile(await (await download).path(), 'utf8')).toContain('9:00 to 16:00');
  await openMenu();
  await frame.getByRole('button', { name: 'Print transcript' }).click();
  await expect(frame.locator('html')).toHaveAttribute('data-printing');
});

test('a link to another device says how long it is good for, and when it ends the menu stays open', async ({
  page,
  demo,
  script,
}) => {
  await script(heard);
  await page.clock.install();
  const chat = await openFernhill(page, demo);
  await chat.say('Hello');
  await expect(chat.log).toContainText('Heard: Hello');
  await choose(page, 'Continue on another device');
  await expect(page.getByText(/^Valid for [0-4]:\d\d$|^Valid for 5:00$/)).toBeVisible();
  const offer = page.getByRole('group', { name: 'Continue on another device' });
  await offer.getByRole('button', { name: 'Copy' }).focus();
  await page.clock.runFor(301_000);
  await expect(page.getByText('This link is no longer valid.')).toBeVisible();
  await expect(offer).toBeFocused();
});

test('a transcript that does not come is said, and comes when asked again', async ({
  page,
  demo,
  script,
}) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  await chat.say('Hello');
  await expect(chat.log).toContainText('Heard: Hello');
  await page.route('**/transcript?*', (route) => route.abort());
  await choose(page, 'Download transcript');
  await expect(page.getByText('The connection failed.')).toBeVisible();
  await page.unroute('**/transcript?*');
  const download = page.waitForEvent('download');
  await item(page, 'Download transcript').click();
  await download;
});

test('a menu whose code does not come says so, and comes when asked again', async ({ page }) => {
  const mock = await startMockService({ events: [...asked(1, 'Hello'), ...said(1, 'Hi.'), ...ended(1)] });
  try {
    await enter(page, mock.url, { shows: 'Hi.' });
    await page.route('**/assets/menu-items-*', (route) => route.abort());
    await menuOf(page).click();
    await expect(page.getByText('The connection failed.')).toBeVisible();
    await page.unroute('**/assets/menu-items-*');
    await item(page, 'Try again').click();
    await expect(item(page, 'Delete this conversation')).toBeVisible();
    await expect(menuOf(page).locator('..')).toHaveAttribute('open');
  } finally {
    await mock.close();
  }
});

const long = Array.from({ length: 60 }, (_, index) => [
  ...asked(index, `Question ${index}.`),
  ...said(index, `Answer ${index} with **weight**.`),
  ...ended(index),
]).flat();

test('what there is is printed where the rest of the conversation is not drawn', async ({ page }) => {
  const mock = await startMockService({ events: long });
  try {
    await page.addInitScript(() => {
      // A page that leaves the browser no time to spare.
      globalThis.requestIdleCallback = () => 0;
      globalThis.print = () => document.documentElement.toggleAttribute('data-printing', true);
    });
    await enter(page, mock.url, { shows: 'Answer 59 with weight.' });
    await choose(page, 'Print transcript');
    await expect(page.locator('html')).toHaveAttribute('data-printing');
    await expect(page.locator('#parley-print .panel')).toContainText('Answer 59 with weight.');
  } finally {
    await mock.close();
  }
});

test('what is to be printed leaves the page with its visitor', async ({ page }) => {
  const mock = await startMockService({ events: long });
  try {
    await page.addInitScript(() => {
      globalThis.print = () => {};
    });
    await enter(page, mock.url, { shows: 'Answer 59 with weight.' });
    await choose(page, 'Print transcript');
    const copy = page.locator('#parley-print .panel');
    await expect(copy).toContainText('Answer 0 with weight.');
    await parley(page, 'logout');
    await expect(copy).toHaveCount(0);
  } finally {
    await mock.close();
  }
});

test('the whole conversation is printed, and nothing of the page', async ({ page }) => {
  const mock = await startMockService({ events: long, page: strictPolicy });
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => /violat|refused to/i.test(message.text()) && faults.push(message.text()));
  try {
    await page.addInitScript(() => {
      // The dialog stays open until the test says so.
      globalThis.print = () => document.documentElement.toggleAttribute('data-printing', true);
    });
    await enter(page, mock.url, { shows: 'Answer 59 with weight.' });
    await choose(page, 'Print transcript');
    await expect(page.locator('html')).toHaveAttribute('data-printing');

    await page.emulateMedia({ media: 'print' });
    await expect(page.locator('body')).toBeHidden();
    const paper = page.locator('#parley-print .panel');
    const printed = await paper.innerText();
    for (let turn = 0; turn < 60; turn++) {
      expect(printed).toContain(`Question ${turn}.`);
      expect(printed).toContain(`Answer ${turn} with weight.`);
    }
    expect(printed).not.toContain('Copy');
    expect(await paper.evaluate((element) => element.getBoundingClientRect().top)).toBeLessThan(50);
    const turns = await paper
      .locator('.turn')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
    expect(Math.min(...turns)).toBeGreaterThan(20);
    expect(Math.max(...turns)).toBeLessThan(200);
    const [height, width] = await paper.evaluate(({ scrollHeight, scrollWidth }) => [
      scrollHeight,
      scrollWidth,
    ]);
    expect(width).toBeLessThanOrEqual(page.viewportSize()!.width);
    const pages = (await page.pdf()).toString('latin1').match(/\/Type\s*\/Page\b/g) ?? [];
    // A page of paper shows about as much as a window of its width, and none is empty.
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.length).toBeLessThan(height! / 500);

    // That was what ends the printing for the widget.
    await expect(page.locator('#parley-print')).toHaveCount(0);
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('heading', { name: 'MockService' })).toBeVisible();
    expect(faults).toEqual([]);
  } finally {
    await mock.close();
  }
});

async function isOnServer(demo: { service: string; secretKey: string }, sessionId: string) {
  const answer = await fetch(`${demo.service}/parley/v1/session/${sessionId}/stream`, {
    headers: { authorization: `Bearer ${demo.secretKey}` },
  });
  await answer.body?.cancel();
  return answer.status;
}

const storedWords = (page: Page) =>
  page.evaluate(() => [...Object.values(localStorage), ...Object.values(sessionStorage)].join('\n'));

test('a visitor has a conversation deleted: asked once, gone on the server and in every tab', async ({
  page,
  demo,
  context,
  script,
}) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  await chat.say('My name is Wilhelmina');
  await expect(chat.log).toContainText('Heard: My name is Wilhelmina');
  await page.getByRole('button', { name: 'Good answer' }).click();
  const other = await context.newPage();
  const there = await openFernhill(other, demo);
  await expect(there.log).toContainText('Heard: My name is Wilhelmina');
  await there.field.fill('Wilhelmina again');
  await page.bringToFront();
  const { sessionId } = await sessionOf(page);
  expect(await isOnServer(demo, sessionId)).toBe(200);

  await choose(page, 'Delete this conversation');
  const question = page.getByRole('group', { name: 'Delete this conversation' });
  await expect(question).toContainText('will be deleted here and on the server. This cannot be undone.');
  await expect(question).not.toContainText('other conversations');
  await expect(item(page, 'Cancel')).toBeFocused();
  // Who clicks on what they read does not mean to leave.
  await question.getByText('This cannot be undone.').click();
  await item(page, 'Cancel').press('Enter');
  await expect(question).toHaveCount(0);
  await expect(item(page, 'Delete this conversation')).toBeFocused();
  expect(await isOnServer(demo, sessionId)).toBe(200);

  await page.keyboard.press('Enter');
  await item(page, 'Delete').click();
  await expect(
    page.getByRole('status').filter({ hasText: 'This conversation has been deleted.' }),
  ).toBeVisible();
  await expect(menuOf(page)).toBeFocused();
  expect(await isOnServer(demo, sessionId)).toBe(404);
  for (const tab of [page, other]) {
    await expect(chatIn(tab).log).not.toContainText('Wilhelmina');
    await expect(chatIn(tab).field).toHaveValue('');
    await expect.poll(() => storedWords(tab)).not.toMatch(/Wilhelmina|sessionId|ses_/);
  }
  await page.keyboard.press('Escape');
  await expect(page.getByText('This conversation has been deleted.')).toBeHidden();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.reload();
  await expect(chat.log).not.toContainText('Wilhelmina');
  await chat.say('Once more');
  await expect(chat.log).toContainText('Heard: Once more');
});

test('who is known is told that other conversations stay; without a conversation there is nothing to delete', async ({
  page,
  demo,
  script,
}) => {
  await script(heard);
  await demo.configure({ identity: { secret: identitySecret } });
  const chat = await openFernhill(page, demo);
  await identify(page, sign('ada-rights', demo.agentId));
  await menuOf(page).click();
  await expect(item(page, 'Conversations')).toBeVisible();
  await expect(item(page, 'Delete this conversation')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(menuOf(page)).toBeFocused();
  await expect(page.getByRole('dialog')).toBeVisible();
  await chat.say('Hello');
  await expect(chat.log).toContainText('Heard: Hello');
  const { sessionId } = await sessionOf(page);
  await choose(page, 'Delete this conversation');
  await expect(page.getByRole('group', { name: 'Delete this conversation' })).toContainText(
    'Your other conversations stay.',
  );
  await item(page, 'Delete').click();
  await expect(page.getByText('This conversation has been deleted.')).toBeVisible();
  expect(await isOnServer(demo, sessionId)).toBe(404);
});
