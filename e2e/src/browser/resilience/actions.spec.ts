import { expect, type Page } from '@playwright/test';
import { numberedWords, openFernhill, sessionOf } from '../chat.ts';
import { settledScroll } from '../settled-scroll.ts';
import { allowPatience, bePatient } from './patience.ts';
import { cutNetwork, hide, keptOf, goOnline, openSecond, show, test, duringOutage } from './resilience.ts';

const stop = (page: Page) => page.getByRole('button', { name: 'Stop' });
const log = (page: Page) => page.getByRole('log');
const inLog = (page: Page, name: string) => log(page).getByRole('button', { name }).last();

test('stopped, asked for again and copied while the service or the network is away, an answer is so once, in both tabs', async ({
  page,
  demo,
  script,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await allowPatience(page);
  await script([{ steps: [{ say: 'tick ', repeat: 2_000, delayMs: 20 }] }]);
  const chat = await openFernhill(page, demo);
  await chat.say('Is it ready?');
  await expect(chat.log).toContainText('tick tick');
  const other = await openSecond(page, demo);
  await expect(other.chat.log).toContainText('tick tick');
  await page.bringToFront();
  await hide(other.page);
  await duringOutage(page, demo, async () => {
    await expect(page.getByText('Reconnecting…')).toBeVisible();
    await stop(page).click();
    await expect(stop(page)).toBeEnabled();
  });
  for (const tab of [chat, other.chat]) await expect(tab.log.getByText('Stopped.')).toHaveCount(1);
  await expect(stop(page)).toHaveCount(0);

  await script([{ steps: [{ say: 'It is **ready**.' }] }]);
  await duringOutage(page, demo, async () => {
    await inLog(page, 'Answer again').click();
    await expect(chat.log).toContainText('Sending…');
  });
  await show(other.page);
  for (const tab of [chat, other.chat]) {
    await expect(tab.log.getByText('It is ready.')).toHaveCount(1);
    await expect(tab.log.getByText('Sending…')).toHaveCount(0);
  }
  const { sessionId } = await sessionOf(page);
  expect((await keptOf(demo, sessionId)).messages).toEqual(['Is it ready?', 'Is it ready?']);

  await expect(log(page).getByRole('button', { name: 'Copy' })).toHaveCount(2);
  await cutNetwork(page);
  // That it was copied is said for two seconds.
  await bePatient(page);
  await inLog(page, 'Copy').click();
  await expect(inLog(page, 'Copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('It is **ready**.');
});

test('an answer that failed is tried again once, also when the visitor asks for it offline', async ({
  page,
  demo,
  script,
}) => {
  await script([{ steps: [{ say: 'Half an ans' }, { fail: 'secret reason' }] }]);
  const chat = await openFernhill(page, demo);
  await chat.say('Is it ready?');
  await expect(chat.log).toContainText('The answer could not be completed.');
  const other = await openSecond(page, demo);
  await expect(other.chat.log).toContainText('The answer could not be completed.');
  await page.bringToFront();
  await script([{ steps: [{ say: 'It is ready.' }] }]);
  await cutNetwork(page);
  await inLog(page, 'Try again').click();
  // Nothing more is tried by then.
  await expect(chat.log.getByRole('button', { name: 'Discard' })).toBeVisible();
  await expect(chat.log).toContainText('Waits for the connection');
  await goOnline(page);
  for (const tab of [chat, other.chat]) {
    await expect(tab.log.getByText('It is ready.')).toHaveCount(1);
    await expect(tab.log).not.toContainText('secret reason');
  }
  const { sessionId } = await sessionOf(page);
  expect((await keptOf(demo, sessionId)).messages).toEqual(['Is it ready?', 'Is it ready?']);
});

test('who follows an answer goes on following it, and who reads elsewhere stays there, when the network or the service was away', async ({
  page,
  demo,
  script,
}) => {
  const words = numberedWords(100);
  await script([
    { when: 'count', steps: [{ say: `${words}\n\nThe end.`, delayMs: 25 }] },
    { steps: [{ say: 'A long story. '.repeat(150) }] },
  ]);
  const chat = await openFernhill(page, demo);
  await chat.say('Tell me a story');
  await expect(chat.log.getByText('A long story.')).toBeVisible();
  const other = await openSecond(page, demo);
  await chat.say('Now count');
  await expect(other.chat.log).toContainText('w10 ');
  await other.chat.log.hover();
  await other.page.mouse.wheel(0, -600);
  const latest = other.page.getByRole('button', { name: /Latest messages|new message/ });
  await expect(latest).toBeVisible();
  const reading = await settledScroll(other.chat.log);
  await cutNetwork(page);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await goOnline(page);
  await expect(page.getByText('You are offline.')).toBeHidden();
  await duringOutage(page, demo, () => expect(page.getByText('Reconnecting…')).toBeVisible());
  await expect(chat.log.getByText('The end.')).toBeInViewport();
  expect((await chat.log.innerText()).match(/w\d+/g)?.join(' ')).toBe(words);
  await expect(other.chat.log.getByText('The end.')).toBeAttached();
  await expect(other.chat.log.getByText('The end.')).not.toBeInViewport();
  expect(await settledScroll(other.chat.log)).toBe(reading);
  await latest.click();
  await expect(other.chat.log.getByText('The end.')).toBeInViewport();
});
