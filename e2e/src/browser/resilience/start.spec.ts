import { expect, type Page } from '@playwright/test';
import { chatIn, heard, menuOf, openFernhill, sessionOf, toBegin } from '../chat.ts';
import { attach, invoice } from '../files.ts';
import { parley } from '../parley.ts';
import { allowPatience, bePatient, endPatience } from './patience.ts';
import { blockStorage, cutNetwork, keptOf, goOnline, openSecond, test, duringOutage } from './resilience.ts';

const launcherOf = (page: Page) => page.getByRole('button', { name: 'Chat with Fern' });
const configuration = '**/v1/config*';

test('a panel without its configuration says so, and comes by itself once, when the network is back', async ({
  page,
  demo,
}) => {
  const asked: string[] = [];
  page.on('request', (each) => each.url().includes('/v1/config') && asked.push(each.url()));
  await page.route(configuration, (route) => route.abort());
  await allowPatience(page);
  await page.goto(`${demo.url}/fernhill/`);
  // A pause is enough for it to be asked for again, too.
  await bePatient(page);
  await launcherOf(page).click();
  const retry = page.getByRole('button', { name: 'Try again' });
  await expect(page.getByRole('dialog')).toContainText('The connection failed.');
  await retry.click();
  await expect.poll(() => asked.length).toBe(2);
  await expect(retry).toBeVisible();
  await page.unroute(configuration);
  await cutNetwork(page);
  await goOnline(page);
  const chat = chatIn(page);
  await expect(page.getByRole('dialog')).toContainText('Hello! Ask me about a repair');
  await expect(retry).toHaveCount(0);
  expect(asked).toHaveLength(3);
  await endPatience(page);

  // From now on the network has nothing to bring, and takes nothing away.
  await attach(page, invoice);
  await cutNetwork(page);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await goOnline(page);
  await expect(page.getByText('You are offline.')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Remove invoice.pdf' })).toBeVisible();
  await chat.say('Look at this photo');
  await expect(chat.log).toContainText('Most squeaks are worn pads');
  expect(asked).toHaveLength(3);
  const { sessionId } = await sessionOf(page);
  expect(await keptOf(demo, sessionId)).toMatchObject({ files: 1 });
});

/** A page, no object, a refusal without a reason, and settings without a widget. */
const strangers = ['<!doctype html><title>Fernhill</title>', 'null', '{"ok":false}', '{"ok":true}'];

test('a configuration that is none is said to have failed, and can be asked for again', async ({
  page,
  demo,
}) => {
  let body = '';
  await page.route(configuration, (route) => route.fulfill({ body }));
  const codes: string[] = [];
  await page.exposeFunction('failed', (code: string) => codes.push(code));
  await page.addInitScript(() =>
    document.addEventListener('parley:error', (event) =>
      (globalThis as unknown as { failed(code: string): void }).failed((event as CustomEvent).detail.code),
    ),
  );
  await page.goto(`${demo.url}/fernhill/`);
  const again = page.getByRole('button', { name: 'Try again' });
  for (const [index, stranger] of strangers.entries()) {
    body = stranger;
    await (index === 0 ? launcherOf(page) : again).click();
    await expect(page.getByRole('dialog')).toContainText('Something went wrong.');
    await expect.poll(() => codes).toEqual(strangers.slice(0, index + 1).map(() => 'PROTOCOL'));
  }
  await page.unroute(configuration);
  await again.click();
  await expect(page.getByRole('dialog')).toContainText('Hello! Ask me about a repair');
});

test('a suggestion that nobody hears is not lost, and is answered once', async ({ page, demo }) => {
  const chat = await openFernhill(page, demo);
  await expect(menuOf(page)).toBeVisible();
  await duringOutage(page, demo, async () => {
    await page.getByRole('button', { name: 'Where is order 1042?' }).click();
    await expect(chat.log.getByRole('alert')).toContainText('Not sent. The connection failed.');
  });
  // It may be sent by itself meanwhile.
  const answer = chat.log.getByText('Expect it tomorrow');
  await chat.log.getByRole('button', { name: 'Try again' }).or(answer).first().click();
  await expect(answer).toBeVisible();
  await page.reload();
  await expect(chat.log).toContainText('Expect it tomorrow');
  const { sessionId } = await sessionOf(page);
  expect((await keptOf(demo, sessionId)).messages).toEqual(['Where is order 1042?']);
});

test('a first message of which the page has heard nothing is not sent again, by a reload or by another tab', async ({
  page,
  demo,
  context,
  script,
}) => {
  await script(heard);
  const released = Promise.withResolvers<void>();
  await page.route(toBegin, async (route) => {
    await released.promise;
    await route.continue({ headers: { ...route.request().headers(), accept: 'application/json' } });
  });
  await context.route('**/stream*', (route) => route.abort());
  const chat = await openFernhill(page, demo);
  await chat.say('Only once');
  const other = await openSecond(page, demo);
  await expect(other.chat.log).toContainText('Only once');
  const begun = page.waitForResponse(toBegin);
  released.resolve();
  await begun;
  await expect.poll(async () => (await sessionOf(page)).sessionId).toBeTruthy();
  await page.reload();
  await expect(chat.log).toContainText('Only once');
  await context.unroute('**/stream*');
  for (const [tab, next] of [
    [chat, 'here'],
    [other.chat, 'there'],
  ] as const) {
    await expect(tab.log).toContainText('Heard: Only once');
    await expect(tab.log.getByText('Sending')).toHaveCount(0);
    // Whatever else was on its way has gone before this.
    await tab.say(next);
    await expect(tab.log).toContainText(`Heard: ${next}`);
  }
  const { sessionId } = await sessionOf(page);
  expect((await keptOf(demo, sessionId)).messages).toEqual(['Only once', 'here', 'there']);
});

test('a teaser comes late where its configuration does, and not where a visitor could not send it away for good', async ({
  page,
  demo,
  context,
}) => {
  const teaser = (place: Page) => place.getByRole('button', { name: 'Planning a trip?' });
  await page.route(configuration, (route) => route.abort());
  await allowPatience(page);
  await page.goto(`${demo.url}/scenes/teaser.html`);
  // A pause is enough for the configuration to be asked for again, too.
  await bePatient(page);
  const failed = page.waitForEvent('requestfailed', (each) => each.url().includes('/v1/config'));
  await launcherOf(page).hover();
  await failed;
  await page.unroute(configuration);
  await expect(teaser(page)).toHaveCount(0);
  await cutNetwork(page);
  const askedAnew = page.waitForRequest((each) => each.url().includes('/v1/config'));
  await goOnline(page);
  await askedAnew;
  // Whoever asked before the network was really back asks once more after a pause.
  await endPatience(page);
  await teaser(page).click();
  await expect(chatIn(page).field).toBeFocused();
  await expect(teaser(page)).toHaveCount(0);

  const blocked = await context.newPage();
  await blockStorage(blocked);
  await blocked.goto(`${demo.url}/scenes/teaser.html`);
  await launcherOf(blocked).click();
  await chatIn(blocked).say('My name is Ada');
  await expect(chatIn(blocked).log).toContainText('Nice to meet you, Ada');
  await expect(chatIn(blocked).log.getByRole('button', { name: 'Answer again' })).toBeVisible();
  await blocked.keyboard.press('Escape');
  await expect(launcherOf(blocked)).toBeFocused();
  await expect(teaser(blocked)).toHaveCount(0);
  await parley(blocked, 'send', 'What is my name?');
  await expect(launcherOf(blocked)).toHaveAttribute('data-badge', '1');
  await launcherOf(blocked).click();
  await expect(chatIn(blocked).log).toContainText('You are Ada.');
  await expect(launcherOf(blocked)).not.toHaveAttribute('data-badge');
});

test('a first message that the service was away for is sent by itself when it is back', async ({
  page,
  demo,
  script,
}) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  await page.route(toBegin, (route) => route.abort());
  await chat.say('Anybody there?');
  await expect(chat.log).toContainText('Not sent');
  await page.unroute(toBegin);
  await expect(chat.log.getByText('Heard: Anybody there?')).toHaveCount(1);
  await expect(chat.log).not.toContainText('Not sent');
});
