import { expect, type Page, type Request } from '@playwright/test';
import { chatIn, heard, numberedWords, occurrences, toBegin } from '../chat.ts';
import { cutLinks } from '../link.ts';
import { type Parley, parley } from '../parley.ts';
import { cutNetwork, hide, goOnline, show, test } from './resilience.ts';
import { identitySecret, sign } from '../visitor-token.ts';

const words = numberedWords(40);
const counting = [{ steps: [{ say: words, delayMs: 20 }] }];
const launcher = (page: Page) => page.getByRole('button', { name: 'Chat with Fern' });

/** A page whose router makes and destroys its widget, without one. */
async function openSite(page: Page, demo: { url: string }) {
  await page.goto(`${demo.url}/scenes/spa.html`);
  await page.waitForFunction(() => (globalThis as { parley?: { version?: string } }).parley?.version);
}

/** Makes the widget and opens it; `await`s the panel only if asked to. */
const begin = (page: Page, wait = true) =>
  page.evaluate(async (waiting) => {
    const { parley: call } = globalThis;
    await call('init', {
      key: document.getElementById('loader')!.dataset['parleyKey'],
      name: 'Chat with Fern',
    });
    const open = call('open').catch(() => {});
    if (waiting) await open;
  }, wait);

/** What a widget may leave behind in its page: its nodes, and listeners on what outlives it. */
async function traces(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  const counts = [];
  for (const expression of ['window', 'document', 'visualViewport', 'document.documentElement']) {
    const { result } = await devtools.send('Runtime.evaluate', { expression });
    const { listeners } = await devtools.send('DOMDebugger.getEventListeners', {
      objectId: result.objectId!,
    });
    counts.push(`${expression}: ${listeners.length}`);
  }
  await devtools.detach();
  return { nodes: await page.locator('[data-parley]').count(), counts };
}

/** Counts the streams that are open. */
function watchStreams(page: Page) {
  const open = new Set<unknown>();
  const isStream = (request: Request) =>
    request.url().includes('/stream') || request.headers()['accept']?.includes('ndjson');
  page.on('request', (request) => isStream(request) && open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  return () => open.size;
}

test('made and destroyed twenty times, at any moment, it leaves no nodes, listeners or streams', async ({
  page,
  demo,
  script,
}) => {
  await script(counting);
  const streams = watchStreams(page);
  await openSite(page, demo);
  const before = await traces(page);
  await begin(page);
  await chatIn(page).say('Count');
  await expect(chatIn(page).log).toContainText('w3 ');
  await expect.poll(streams).toBe(1);
  for (let round = 0; round < 20; round++) {
    await parley(page, 'destroy');
    await begin(page, round % 2 === 0);
    if (round % 5 === 0) await expect(chatIn(page).log).toContainText('w3 ');
  }
  await parley(page, 'destroy');
  await expect.poll(streams).toBe(0);
  await expect.poll(() => traces(page)).toEqual(before);
  await begin(page);
  await expect(chatIn(page).log).toContainText(words);
  expect(occurrences(await chatIn(page).log.innerText(), 'Count')).toBe(1);
});

test('destroyed while its panel, its configuration or the rest is under way, it does not come after all', async ({
  page,
  demo,
  script,
}) => {
  await script([{ steps: [{ say: 'Hello!' }] }]);
  await openSite(page, demo);
  await begin(page);
  await chatIn(page).say('Hello');
  await expect(chatIn(page).log).toContainText('Hello!');
  const streams = watchStreams(page);
  for (const address of ['**/assets/panel-*.js', '**/v1/config*', '**/assets/cards-*.js']) {
    await openSite(page, demo);
    await expect.poll(streams).toBe(0);
    const before = await traces(page);
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await page.route(address, async (route) => {
      asked.resolve();
      await released.promise;
      await route.continue();
    });
    await begin(page, false);
    await asked.promise;
    await parley(page, 'destroy');
    const arrived = page.waitForResponse(address);
    released.resolve();
    await (await arrived).finished();
    await expect.poll(() => traces(page)).toEqual(before);
    await expect.poll(streams).toBe(0);
    await page.unroute(address);
    await begin(page);
    await expect(chatIn(page).log).toContainText('Hello!');
    await expect(page.locator('[data-parley]')).toHaveCount(1);
  }
});

test('destroyed before its page knows who is there, it reads nothing once that is known', async ({
  page,
  demo,
  script,
}) => {
  await demo.configure({ identity: { secret: identitySecret } });
  await script(heard);
  await openSite(page, demo);
  await begin(page);
  await chatIn(page).say('Hello');
  await expect(chatIn(page).log).toContainText('Heard: Hello');
  await openSite(page, demo);
  const before = await traces(page);
  const streams = watchStreams(page);
  await page.evaluate(() => {
    const { parley: call } = globalThis;
    const asked = Promise.withResolvers<void>();
    const token = Promise.withResolvers<string>();
    const ask = () => {
      asked.resolve();
      return token.promise;
    };
    Object.assign(globalThis, { asked, token, identified: call('identify', ask).catch(() => {}) });
  });
  await begin(page);
  await page.evaluate(
    async (given) => {
      const { parley: call, ...waiting } = globalThis as unknown as { parley: Parley } & {
        asked: PromiseWithResolvers<void>;
        token: PromiseWithResolvers<string>;
        identified: Promise<void>;
      };
      await waiting.asked.promise;
      await call('destroy');
      waiting.token.resolve(given);
      await waiting.identified;
    },
    sign('joan', demo.agentId),
  );
  await begin(page);
  await expect(chatIn(page).log).toContainText('Heard: Hello');
  await parley(page, 'destroy');
  await expect.poll(streams).toBe(0);
  await expect.poll(() => traces(page)).toEqual(before);
});

test('destroyed with its first messages on the way, the next one sends them once', async ({
  page,
  demo,
  script,
}) => {
  await script(heard);
  await openSite(page, demo);
  await begin(page);
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const beginnings = new Set<string | undefined>();
  await page.route(toBegin, async (route) => {
    beginnings.add(route.request().headers()['idempotency-key']);
    asked.resolve();
    await released.promise;
    await route.continue();
  });
  await chatIn(page).say('one');
  await chatIn(page).say('two');
  await asked.promise;
  await parley(page, 'destroy');
  await begin(page);
  released.resolve();
  await expect(chatIn(page).log).toContainText('Heard: two');
  await openSite(page, demo);
  await begin(page);
  for (const heard of ['Heard: one', 'Heard: two'])
    await expect(chatIn(page).log.getByText(heard)).toHaveCount(1);
  expect(beginnings.size).toBe(1);
});

test('destroyed and made again without a network, in the background, it sends what was waiting once', async ({
  page,
  demo,
  script,
}) => {
  await script(heard);
  const streams = watchStreams(page);
  await openSite(page, demo);
  await begin(page);
  const chat = chatIn(page);
  await chat.say('one');
  await expect(chat.log).toContainText('Heard: one');
  await cutNetwork(page);
  await chat.say('two');
  await hide(page);
  for (let round = 0; round < 3; round++) {
    await parley(page, 'destroy');
    await begin(page);
  }
  await expect(page.getByRole('dialog')).toContainText('The connection failed.');
  const sending = parley(page, 'send', 'three');
  cutLinks();
  await goOnline(page);
  await sending;
  await expect(chat.log).toContainText('Heard: three');
  await show(page);
  expect((await chat.log.innerText()).match(/Heard: \w+/g)).toEqual([
    'Heard: one',
    'Heard: two',
    'Heard: three',
  ]);
  await expect.poll(streams).toBe(1);
  await parley(page, 'destroy');
  await expect.poll(streams).toBe(0);
  await expect(page.locator('[data-parley]')).toHaveCount(0);
});

test('taken out of the document and put back elsewhere, it goes on where it is read', async ({
  page,
  demo,
  script,
}) => {
  await script(counting);
  await openSite(page, demo);
  await begin(page);
  const chat = chatIn(page);
  await chat.say('Count');
  await expect(chat.log).toContainText('w10 ');
  await page.evaluate(() => {
    const host = document.querySelector('[data-parley]')!;
    host.remove();
    Object.assign(globalThis, { host });
  });
  await expect(launcher(page)).toHaveCount(0);
  await page.evaluate(() => document.body.append((globalThis as unknown as { host: Element }).host));
  await expect(chat.log).toContainText(words);
  await expect(chat.log.getByText('w40')).toBeInViewport();
  await chat.field.press('Escape');
  await expect(launcher(page)).toBeFocused();
});

test('a page that is replaced under it, script and all, keeps its inline widget', async ({
  page,
  demo,
  script,
}) => {
  await script(counting);
  await page.goto(`${demo.url}/scenes/inline.html`);
  const chat = chatIn(page);
  await chat.say('Count');
  await expect(chat.log).toContainText('w10 ');
  // As Turbo does: another body, and `init` when it is there.
  await page.evaluate(async () => {
    const body = document.createElement('body');
    const place = document.createElement('section');
    place.id = 'conversation';
    place.className = 'place';
    body.append(place);
    document.body.replaceWith(body);
    const { key, name, mode, target } = document.querySelector<HTMLElement>('script[data-key]')!.dataset;
    await globalThis.parley('init', { key, name, mode, target });
  });
  await expect(page.locator('#conversation [data-parley]')).toHaveCount(1);
  await expect(chat.log).toContainText(words);
  expect(occurrences(await chat.log.innerText(), 'Count')).toBe(1);
});

test('of two widgets the one that logs out leaves the other alone', async ({ page, demo }) => {
  await page.goto(`${demo.url}/scenes/two.html`);
  const inside = (id: string) => page.locator(`[data-parley="${id}"]`);
  const say = async (id: string, text: string) => {
    await parley(page, `${id}.open`);
    await inside(id).getByRole('textbox', { name: 'Message', exact: true }).fill(text);
    await inside(id).getByRole('textbox', { name: 'Message', exact: true }).press('Enter');
  };
  await say('fern', 'My name is Ada');
  await say('wren', 'My name is Bo');
  await expect(inside('fern').getByRole('log')).toContainText('Nice to meet you, Ada');
  await expect(inside('wren').getByRole('log')).toContainText('Good to have you here, Bo');
  cutLinks();
  await page.reload();
  await expect(inside('fern').getByRole('log')).toContainText('Ada');
  await parley(page, 'fern.logout');
  await expect(inside('fern').getByRole('log')).not.toContainText('Ada');
  await say('wren', 'What is my name?');
  await expect(inside('wren').getByRole('log')).toContainText('You are Bo.');
  await say('fern', 'What is my name?');
  await expect(inside('fern').getByRole('log')).toContainText('You are nothing.');
});
