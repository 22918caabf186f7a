import { expect, type Page } from '@playwright/test';
import { chatIn, heard, occurrences, openFernhill, sessionOf, toBegin } from './chat.ts';
import { attach, invoice } from './files.ts';
import { keptFiles } from './kept-files.ts';
import { keptOf, test } from './resilience/resilience.ts';
import { identify, identitySecret, sign } from './visitor-token.ts';

const header = 'x-parley-visitor-token';

test.beforeEach(async ({ demo, script }) => {
  await demo.configure({ identity: { secret: identitySecret } });
  await script(heard);
});

const logout = (page: Page) =>
  page.evaluate(() => {
    void globalThis.parley('logout');
  });
const stored = (page: Page) => page.evaluate(() => Object.keys(localStorage));
/** Keeps requests of a kind back; what is returned lets them go on. */
async function hold(page: Page, address: string | RegExp) {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    reached.resolve();
    await released.promise;
    await route.continue();
  });
  return { reached: reached.promise, release: released.resolve };
}

test('what somebody has left unsent is not sent in the name of whoever comes next', async ({
  page,
  demo,
  request,
}) => {
  const chat = await openFernhill(page, demo);
  await identify(page, sign('ada-unsent', demo.agentId));
  await page.route(toBegin, (route) => route.abort());
  await chat.say('Ada’s secret');
  await expect(page.getByText('Not sent')).toBeVisible();
  await page.unroute(toBegin);

  // The next page is told at once that somebody else is there, who opens the chat.
  await page.addInitScript(
    (token) => {
      const calls = [['identify', token], ['open']];
      Object.assign(globalThis, { parley: Object.assign(() => {}, { q: calls }) });
    },
    sign('eve-unsent', demo.agentId),
  );
  // She writes before the code that knows her is there.
  const code = await hold(page, /\/assets\/cards-/);
  await page.reload();
  await code.reached;
  await chat.say('Eve here');
  await expect(chat.log).toContainText('Eve here');
  code.release();
  await expect(chat.log).toContainText('Heard: Eve here');
  await expect(chat.log).not.toContainText('secret');
  const own = await request.get(`${demo.service}/parley/v1/session`, {
    headers: { authorization: `Bearer ${demo.secretKey}`, [header]: sign('eve-unsent', demo.agentId) },
  });
  const { items } = (await own.json()) as { items: { firstMessage: string }[] };
  expect(items.map(({ firstMessage }) => firstMessage)).toEqual(['Eve here']);
});

test('what somebody writes while the page still asks for their token is theirs, and all the rest is not', async ({
  page,
  demo,
}) => {
  const chat = await openFernhill(page, demo);
  await identify(page, sign('ada-before', demo.agentId));
  await chat.say('Ada here');
  await expect(chat.log).toContainText('Heard: Ada here');
  await page.route('**/parley/v1/session/*', (route) => route.abort());
  await chat.say('Ada’s secret');
  await expect(page.getByText('Not sent')).toBeVisible();
  await page.unrouteAll();
  // The page’s own server takes its time.
  await page.evaluate(
    (token) => {
      const { promise, resolve } = Promise.withResolvers<string>();
      Object.assign(globalThis, { answer: () => resolve(token) });
      void globalThis.parley('identify', () => promise);
    },
    sign('eve-before', demo.agentId),
  );
  await attach(page, invoice);
  await chat.say('Eve’s invoice');
  await chat.say('Eve here');
  await page.evaluate(() => (globalThis as unknown as { answer(): void }).answer());
  await expect(chat.log).toContainText('Heard: Eve here');
  await expect(chat.log).not.toContainText('Ada');
  const { sessionId } = await sessionOf(page);
  expect(await keptOf(demo, sessionId)).toMatchObject({
    messages: ['Eve’s invoice\n[file: invoice.pdf (application/pdf)]', 'Eve here'],
    files: 1,
  });
});

test('a token that comes when the widget is gone takes nothing from who was there', async ({
  page,
  demo,
}) => {
  const chat = await openFernhill(page, demo);
  await identify(page, sign('ada-stays', demo.agentId));
  await chat.say('Ada here');
  await expect(chat.log).toContainText('Heard: Ada here');
  await page.evaluate(
    async (token) => {
      const { parley } = globalThis;
      const { promise, resolve } = Promise.withResolvers<string>();
      const asked = new Promise<void>((called) => {
        void parley('identify', () => {
          called();
          return promise;
        });
      });
      await asked;
      void parley('destroy');
      resolve(token);
    },
    sign('eve-late', demo.agentId),
  );
  await page.reload();
  await identify(page, sign('ada-stays', demo.agentId));
  await expect(chat.log).toContainText('Heard: Ada here');
});

test('who leaves while the service is out of reach leaves nothing behind', async ({ page, demo }) => {
  const chat = await openFernhill(page, demo);
  await chat.say('Hello');
  await expect(chat.log).toContainText('Heard: Hello');
  await page.route('**/v1/config*', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await stored(page)).not.toEqual([]);
  await logout(page);
  await expect.poll(() => stored(page)).toEqual([]);
});

test('who leaves before all has loaded leaves no draft behind', async ({ page, demo }) => {
  await page.route(/\/assets\/cards-/, (route) => route.abort());
  const chat = await openFernhill(page, demo);
  await chat.field.fill('Ada’s draft');
  await logout(page);
  await expect(chat.field).toHaveValue('');
});

test('what is written after a logout stands when the code that serves the page comes, in every tab', async ({
  page,
  demo,
  context,
}) => {
  const chat = await openFernhill(page, demo);
  await chat.say('Ada here');
  await expect(chat.log).toContainText('Heard: Ada here');
  // A page on which nobody is signed in says so before anything of the panel is there.
  const next = await context.newPage();
  await next.addInitScript(() => {
    const calls = [['logout'], ['open']];
    Object.assign(globalThis, { parley: Object.assign(() => {}, { q: calls }) });
  });
  const code = await hold(next, /\/assets\/cards-/);
  await next.goto(`${demo.url}/fernhill/`);
  await code.reached;
  const there = chatIn(next);
  await there.say('Hello');
  await expect(there.log).toContainText('Heard: Hello');
  await there.field.fill('A draft');
  code.release();
  await expect(next.getByLabel('Menu')).toBeVisible();
  for (const { log } of [chat, there]) {
    await expect(log).toContainText('Heard: Hello');
    await expect(log).not.toContainText('Ada');
  }
  await expect(there.field).toHaveValue('A draft');
});

test('who leaves takes along the files that a closed tab has not sent', async ({ page, demo, context }) => {
  const left = await context.newPage();
  const chat = await openFernhill(left, demo);
  await openFernhill(page, demo);
  await attach(left, invoice);
  await left.route(toBegin, (route) => route.abort());
  await chat.say('My invoice');
  await expect(left.getByText('Not sent')).toBeVisible();
  await expect.poll(() => keptFiles(page)).toBe(1);
  await left.close();
  await logout(page);
  await expect.poll(() => keptFiles(page)).toBe(0);
});

test('a file that is still being added does not reach the next visitor', async ({ page, demo }) => {
  const code = await hold(page, /\/assets\/attachments-/);
  await openFernhill(page, demo);
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  await (await choosing).setFiles([invoice]);
  await code.reached;
  await logout(page);
  const loaded = page.waitForEvent('requestfinished', (each) => each.url().includes('/assets/attachments-'));
  code.release();
  await loaded;
  await attach(page, { ...invoice, name: 'mine.pdf' });
  await expect(page.locator('.composer')).not.toContainText('invoice.pdf');
});

test('an answer asked for again is not asked for in the next visitor’s conversation', async ({
  page,
  demo,
}) => {
  const chat = await openFernhill(page, demo);
  await attach(page, invoice);
  await chat.say('Ada’s invoice');
  await expect(chat.log).toContainText('Heard: Ada’s invoice');
  const file = await hold(page, '**/v1/file/*');
  await page.getByRole('button', { name: 'Answer again' }).click();
  await file.reached;
  await logout(page);
  await expect(chat.log).not.toContainText('Ada');
  const loaded = page.waitForEvent('requestfinished', (each) => each.url().includes('/v1/file/'));
  file.release();
  await loaded;
  await chat.say('Eve here');
  await expect(chat.log).toContainText('Heard: Eve here');
  await expect(chat.log).not.toContainText('Ada');
});

test('the same words said again wait to be sent, whatever another tab has read', async ({
  page,
  demo,
  context,
}) => {
  const chat = await openFernhill(page, demo);
  await chat.say('Yes');
  await expect(chat.log).toContainText('Heard: Yes');
  const other = await context.newPage();
  const there = await openFernhill(other, demo);
  await expect(there.log).toContainText('Heard: Yes');
  const followUps = /\/parley\/v1\/session\/[^/]+$/;
  await other.route(followUps, (route) => route.abort());
  await there.say('Yes');
  await expect(other.getByText('Not sent')).toBeVisible();
  // From now on it hears all from the first tab.
  await other.route('**/stream*', (route) => route.abort());
  await other.reload();
  await expect(there.log).toContainText('Heard: Yes');
  await expect(other.getByText('Not sent')).toBeVisible();
  await other.unroute(followUps);
  // It may be sent by itself meanwhile.
  const second = there.log.getByText('Heard: Yes').nth(1);
  await other.getByRole('button', { name: 'Try again' }).or(second).first().click();
  await expect.poll(async () => occurrences(await chat.log.innerText(), 'Heard: Yes')).toBe(2);
  await expect.poll(async () => occurrences(await there.log.innerText(), 'Heard: Yes')).toBe(2);
});

test('who comes after somebody whose token never came is not kept waiting for it', async ({ page, demo }) => {
  const chat = await openFernhill(page, demo);
  await page.evaluate(() => {
    const { parley: call } = globalThis;
    void call('identify', () => new Promise(() => {}));
  });
  await chat.say('first');
  await expect(chat.log.getByText('Sending…')).toBeVisible();
  await logout(page);
  await expect(chat.log).not.toContainText('first');
  await chat.say('after logout');
  await expect(chat.log).toContainText('Heard: after logout');
  const { sessionId } = await sessionOf(page);
  expect((await keptOf(demo, sessionId)).messages).toEqual(['after logout']);
});

test('a new conversation does not wait for what was said in the one before', async ({ page, demo }) => {
  const held = ['Nobody answers', 'Still nobody'];
  const reached = held.map(() => Promise.withResolvers<void>());
  await page.route('**/parley/v1/session{,/*,?*}', (route) => {
    const { message } = (route.request().postDataJSON() ?? {}) as { message: string };
    const index = held.indexOf(message);
    return index < 0 ? route.continue() : reached[index]!.resolve();
  });
  const chat = await openFernhill(page, demo);
  await chat.say(held[0]!);
  await reached[0]!.promise;
  await logout(page);
  await chat.say('Anew');
  await expect(chat.log).toContainText('Heard: Anew');

  await chat.say(held[1]!);
  await reached[1]!.promise;
  await page.getByRole('button', { name: 'New conversation' }).click();
  await chat.say('Once more');
  await expect(chat.log).toContainText('Heard: Once more');
  await expect(chat.log).not.toContainText('Heard: Anew');
});
