import { expect, type Page } from '@playwright/test';
import { chatIn } from '../chat.ts';
import { cutLinks } from '../link.ts';
import { parley } from '../parley.ts';
import { allowPatience, bePatient, endPatience } from './patience.ts';
import { blockStorage, cutNetwork, hide, goOnline, show, test } from './resilience.ts';

const script = [
  {
    when: 'basket',
    steps: [{ call: 'add_to_basket', input: { article: 'bell' } }, { say: 'Now: {{result}}' }],
  },
];

/** A tool of the page that counts in which tab it ran; it answers at once, or when told to by `finish`. */
async function offerTool(
  page: Page,
  ran: string[],
  tab: string,
  answer: 'at once' | 'when told' = 'at once',
) {
  await page.exposeFunction('ranIn', () => ran.push(tab)).catch(() => {});
  await page.evaluate((when) => {
    const { parley, ranIn } = globalThis as typeof globalThis & { ranIn: () => Promise<void> };
    return parley('tool', {
      name: 'add_to_basket',
      description: 'Puts an article into the basket.',
      parameters: { type: 'object', properties: { article: { type: 'string' } } },
      run: async ({ article }: { article: string }) => {
        const told = when === 'when told' && new Promise((finish) => Object.assign(globalThis, { finish }));
        await ranIn();
        await told;
        return `${article} is in the basket`;
      },
    });
  }, answer);
}

const finish = (page: Page) => page.evaluate(() => (globalThis as unknown as { finish(): void }).finish());

async function openShop(page: Page, demo: { url: string }) {
  await page.goto(`${demo.url}/scenes/script-tag.html`);
  await page.getByRole('link', { name: 'Help' }).click();
  const chat = chatIn(page);
  await expect(chat.field).toBeVisible();
  return chat;
}

test.beforeEach(async ({ script: setScript }) => setScript(script));

test('of two tabs the one that asked runs the page’s function, once', async ({ page, demo, context }) => {
  const ran: string[] = [];
  const second = await context.newPage();
  for (const tab of [page, second]) await allowPatience(tab);
  const chat = await openShop(page, demo);
  const other = await openShop(second, demo);
  await offerTool(page, ran, 'first', 'when told');
  await offerTool(second, ran, 'second');
  await bePatient(second);
  await chat.say('A bell into my basket');
  await expect.poll(() => ran).toEqual(['first']);
  await endPatience(second);
  // The other tab waits for its turn.
  await expect
    .poll(() =>
      second.evaluate(async () =>
        (await navigator.locks.query()).pending?.some(({ name }) => name?.endsWith(':tool')),
      ),
    )
    .toBe(true);
  await finish(page);
  for (const each of [chat, other]) await expect(each.log).toContainText('Now: bell is in the basket');
  await second.bringToFront();
  await bePatient(page);
  await other.say('Another bell into my basket');
  await expect.poll(() => ran).toEqual(['first', 'second']);
  await endPatience(page);
  for (const each of [chat, other])
    await expect(each.log.getByText('Now: bell is in the basket')).toHaveCount(2);
  expect(ran).toEqual(['first', 'second']);
});

test('a function that finishes while the network is cut is not run again, and its result is not lost', async ({
  page,
  demo,
}) => {
  const ran: string[] = [];
  const chat = await openShop(page, demo);
  await offerTool(page, ran, 'page', 'when told');
  await chat.say('A bell into my basket');
  await expect.poll(() => ran.length).toBe(1);
  await cutNetwork(page);
  const failed = page.waitForEvent('requestfailed', (request) => request.method() === 'POST');
  await finish(page);
  await failed;
  await goOnline(page);
  await expect(chat.log).toContainText('Now: bell is in the basket');
  expect(ran).toEqual(['page']);
});

test('a function that runs while the service is killed gives its result afterwards', async ({
  page,
  demo,
}) => {
  const ran: string[] = [];
  const chat = await openShop(page, demo);
  await offerTool(page, ran, 'page', 'when told');
  await chat.say('A bell into my basket');
  await expect.poll(() => ran.length).toBe(1);
  await demo.killAndRestart();
  await finish(page);
  await expect(chat.log).toContainText('Now: bell is in the basket');
  expect(ran).toEqual(['page']);
});

test('a function that goes to another page runs once, where its result arrives after the page is left', async ({
  page,
  demo,
}) => {
  const ran: string[] = [];
  const chat = await openShop(page, demo);
  const offer = () =>
    page.evaluate(() => {
      const { parley, ranIn } = globalThis as typeof globalThis & { ranIn: () => Promise<void> };
      return parley('tool', {
        name: 'add_to_basket',
        description: 'Puts an article into the basket, and shows it.',
        parameters: { type: 'object' },
        run: async () => {
          await ranIn();
          location.search = '?basket';
          return 'The page shows the basket';
        },
      });
    });
  await page.exposeFunction('ranIn', () => ran.push('page'));
  const left = Promise.withResolvers<void>();
  await page.route('**/v1/session/*', async (route, request) => {
    if (request.postData()?.includes('actionResults')) await left.promise;
    await route.continue();
  });
  await offer();
  await chat.say('A bell into my basket');
  await page.waitForURL(({ search }) => search === '?basket');
  await offer();
  left.resolve();
  await expect(chat.log).toContainText('Now: The page shows the basket');
  expect(ran).toEqual(['page']);
});

test('when the tab that runs a function is closed, another one does it', async ({ page, demo, context }) => {
  const ran: string[] = [];
  const second = await context.newPage();
  await allowPatience(second);
  const chat = await openShop(page, demo);
  const other = await openShop(second, demo);
  await offerTool(page, ran, 'first', 'when told');
  await offerTool(second, ran, 'second');
  await bePatient(second);
  await chat.say('A bell into my basket');
  await expect.poll(() => ran).toEqual(['first']);
  await endPatience(second);
  await expect(other.log.getByText('Add to basket')).toBeVisible();
  await page.close();
  await expect(other.log).toContainText('Now: bell is in the basket');
  expect(ran).toEqual(['first', 'second']);
});

test('in the background and without storage a function runs once, also one that is named again after a lost connection', async ({
  page,
  demo,
}) => {
  const ran: string[] = [];
  await blockStorage(page);
  const chat = await openShop(page, demo);
  await offerTool(page, ran, 'first');
  await hide(page);
  await chat.say('A bell into my basket');
  await expect.poll(() => ran).toEqual(['first']);
  await expect(chat.log).toContainText('Now: bell is in the basket');
  await offerTool(page, ran, 'first', 'when told');
  await chat.say('Another bell into my basket');
  await expect.poll(() => ran.length).toBe(2);
  cutLinks();
  // The page has mended its function meanwhile: what runs already is not run again.
  await offerTool(page, ran, 'first');
  await finish(page);
  await expect(chat.log.getByText('Now: bell is in the basket')).toHaveCount(2);
  await show(page);
  expect(ran).toEqual(['first', 'first']);
});

test('what is asked without a network runs the page’s function once when it is back, in one of two tabs', async ({
  page,
  demo,
  context,
}) => {
  const ran: string[] = [];
  const second = await context.newPage();
  await allowPatience(second);
  const chat = await openShop(page, demo);
  await offerTool(page, ran, 'first');
  await chat.say('A bell into my basket');
  await expect(chat.log).toContainText('Now: bell is in the basket');
  const other = await openShop(second, demo);
  await offerTool(second, ran, 'second');
  await hide(second);
  await cutNetwork(page);
  await chat.say('Another bell into my basket');
  cutLinks();
  expect(ran).toEqual(['first']);
  await bePatient(second);
  await goOnline(page);
  await expect.poll(() => ran).toEqual(['first', 'first']);
  await endPatience(second);
  for (const each of [chat, other])
    await expect(each.log.getByText('Now: bell is in the basket')).toHaveCount(2);
  expect(ran).toEqual(['first', 'first']);
});

test('a function whose result is no JSON runs once, and its failure is the answer', async ({
  page,
  demo,
}) => {
  const ran: string[] = [];
  const said: string[] = [];
  page.on('console', (line) => said.push(line.text()));
  const chat = await openShop(page, demo);
  await page.exposeFunction('ranIn', () => ran.push('page'));
  const offer = () =>
    page.evaluate(() => {
      const { parley, ranIn } = globalThis as typeof globalThis & { ranIn: () => Promise<void> };
      return parley('tool', {
        name: 'add_to_basket',
        description: 'Puts an article into the basket.',
        parameters: { type: 'object' },
        run: async () => {
          await ranIn();
          return { price: 10n };
        },
      });
    });
  await offer();
  await chat.say('A bell into my basket');
  await expect(chat.log).toContainText('Now: The function ran, but its result cannot be used');
  expect(said.join()).toContain('[parley] The result of a tool of this page cannot be used.');
  await page.reload();
  await offer();
  await expect(chat.log).toContainText('Now: The function ran, but its result cannot be used');
  expect(ran).toEqual(['page']);
});

test('a function whose result is refused in every form does not run again after a reload', async ({
  page,
  demo,
}) => {
  const ran: string[] = [];
  const chat = await openShop(page, demo);
  await offerTool(page, ran, 'page');
  const isResult = (body: string | null) => body?.includes('actionResults') === true;
  await page.route('**/v1/session/*', (route, request) =>
    isResult(request.postData())
      ? route.fulfill({ status: 413, json: { ok: false, code: 'TOO_LARGE', error: 'Too large.' } })
      : route.fallback(),
  );
  await chat.say('A bell into my basket');
  await expect.poll(() => ran).toEqual(['page']);
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).join())).toContain(':refused');
  await page.clock.install();
  await page.reload();
  await expect(chat.log).toContainText('Add to basket');
  await offerTool(page, ran, 'again');
  // Longer than a tab that has not asked leaves a tool to the one that has.
  await page.clock.runFor(2_000);
  const toolLocks = async () =>
    (await navigator.locks.query()).held!.filter(({ name }) => name!.endsWith(':tool'));
  await expect.poll(() => page.evaluate(toolLocks)).toEqual([]);
  expect(ran).toEqual(['page']);
});

test('a function that the page has taken away is not called any more', async ({ page, demo }) => {
  const ran: string[] = [];
  const chat = await openShop(page, demo);
  await offerTool(page, ran, 'page');
  await chat.say('A bell into my basket');
  await expect(chat.log).toContainText('Now: bell is in the basket');
  await parley(page, 'tool', { name: 'add_to_basket', run: null });
  cutLinks();
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await chat.say('Another bell into my basket');
  expect((await sent).postDataJSON()).toMatchObject({ clientTools: [] });
  await expect(chat.log.getByText('Now: ')).toHaveCount(2);
  expect(ran).toEqual(['page']);
});
