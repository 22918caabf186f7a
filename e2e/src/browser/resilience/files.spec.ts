import { expect, type Page } from '@playwright/test';
import { heard, openFernhill, sessionOf } from '../chat.ts';
import { attach, invoice, photo } from '../files.ts';
import { keptFiles } from '../kept-files.ts';
import { cutNetwork, hide, keptOf, goOnline, openSecond, show } from './resilience.ts';
import { test, duringOutage } from './resilience.ts';

const sent = (page: Page) => page.getByRole('log').getByRole('list', { name: 'Attached files' });
const large = { ...invoice, name: 'large.pdf', buffer: Buffer.alloc(1_500_000, 7) };

/** Makes what the page sends leave it slowly, until told otherwise. */
async function slowDown(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  const limit = (uploadThroughput: number) =>
    devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  await limit(100_000);
  return () => limit(-1);
}

test('files on their way from a tab in the background when the service is away arrive once, for both tabs', async ({
  page,
  demo,
  script,
}) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  await chat.say('Hello');
  await expect(chat.log).toContainText('Heard: Hello');
  const other = await openSecond(page, demo);
  await page.bringToFront();
  await hide(page);
  await attach(page, photo, large);
  const speedUp = await slowDown(page);
  const sending = page.waitForRequest((request) => request.method() === 'POST');
  await chat.say('Look');
  await sending;
  await duringOutage(page, demo, async () => {
    await expect(chat.log).toContainText('Sending…');
    await speedUp();
  });
  for (const tab of [page, other.page]) {
    await expect(tab.getByRole('log')).toContainText('Heard: Look');
    await expect(sent(tab).getByRole('listitem')).toHaveCount(2);
    await expect(sent(tab).getByRole('link', { name: 'large.pdf' })).toBeVisible();
  }
  await show(page);
  const { sessionId } = await sessionOf(page);
  expect(await keptOf(demo, sessionId)).toMatchObject({
    messages: ['Hello', expect.stringContaining('Look')],
    files: 2,
  });

  // The service has them by now; who asks again takes them from there.
  const again = page.getByRole('button', { name: 'Answer again' });
  await expect(again).toBeVisible();
  await cutNetwork(page);
  await again.click();
  await expect(page.locator('.composer').getByRole('alert')).toHaveText('The connection failed.');
  await goOnline(page);
  await again.click();
  for (const tab of [page, other.page]) await expect(sent(tab)).toHaveCount(2);
  await expect.poll(() => keptOf(demo, sessionId)).toMatchObject({ files: 4 });
});

test('a draft is not sent before the files that an earlier page has left are in it again', async ({
  page,
  demo,
  script,
}) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  await attach(page, invoice);
  await expect.poll(() => keptFiles(page)).toBe(1);
  await chat.field.fill('Look');
  await page.addInitScript(() => {
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    Object.assign(globalThis, { asked, released });
    const open = indexedDB.open.bind(indexedDB);
    indexedDB.open = (name) => {
      const held = {} as IDBOpenDBRequest;
      asked.resolve();
      void released.promise.then(() => {
        const opening = open(name);
        Object.defineProperty(held, 'result', { get: () => opening.result });
        opening.onsuccess = (event) => held.onsuccess?.(event);
      });
      return held;
    };
  });
  await page.reload();
  type Held = Record<'asked' | 'released', PromiseWithResolvers<void>>;
  await page.evaluate(() => (globalThis as unknown as Held).asked.promise);
  await expect(chat.field).toHaveValue('Look');
  await chat.field.press('Enter');
  await page.evaluate(() => (globalThis as unknown as Held).released.resolve());
  await expect(page.getByRole('button', { name: 'Remove invoice.pdf' })).toBeVisible();
  await expect(chat.field).toHaveValue('Look');
  await chat.field.press('Enter');
  await expect(chat.log).toContainText('Heard: Look');
  await expect(sent(page).getByRole('listitem')).toHaveCount(1);
});
