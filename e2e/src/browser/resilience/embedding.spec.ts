import { expect, type Locator, type Page, type Request } from '@playwright/test';
import { chatIn, heard, menuOf, numberedWords, occurrences, openFernhill } from '../chat.ts';
import { cutLinks } from '../link.ts';
import { parley } from '../parley.ts';
import { blockStorage, cutNetwork, hide, goOnline, openSecond, show, test } from './resilience.ts';

const words = numberedWords(40);
/** Counts, and has not answered before `finishRoads`. */
const counting = [
  {
    when: 'count',
    steps: [
      { say: words, delayMs: 20 },
      { call: 'check_roads', input: { region: 'the coast' } },
      { say: '{{result}}' },
    ],
  },
  ...heard,
];

/** Whether a call of the page's came to something, without functions among its arguments. */
const outcome = (page: Page, ...call: [string, ...unknown[]]) =>
  parley(page, ...call).then(
    () => 'done',
    () => 'refused',
  );
/** All of an answer, once, whatever it was interrupted by. */
async function expectCounted(log: Locator) {
  await expect(log).toContainText('w40');
  expect((await log.innerText()).match(/w\d+/g)?.join(' ')).toBe(words);
}

test.beforeEach(({ script }) => script(counting));

test('calls from before the script wait while the service is away, and are done once, in their order', async ({
  page,
  demo,
}) => {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route('**/v1/parley.js', async (route) => {
    asked.resolve();
    await released.promise;
    await route.continue();
  });
  const loading = page.goto(`${demo.url}/scenes/script-tag.html`);
  await asked.promise;
  await page.waitForFunction(() => 'parley' in globalThis);
  await page.evaluate(() => {
    const { parley: call } = globalThis;
    const calls: [string, ...unknown[]][] = [
      ['context', { page: 'Basket' }],
      ['open'],
      ['prefill', 'I would like to '],
      ['send', 'one'],
      ['send', 'two'],
    ];
    for (const each of calls) void call(...each);
  });
  cutLinks();
  const messages: unknown[] = [];
  page.on('response', (response) => {
    const request = response.request();
    const { message, clientContext } = (request.postDataJSON() ?? {}) as Record<string, unknown>;
    if (message) messages.push({ message, clientContext });
  });
  released.resolve();
  await loading;
  const chat = chatIn(page);
  await expect(chat.log).toContainText('Heard: two');
  expect((await chat.log.innerText()).match(/Heard: \w+/g)).toEqual(['Heard: one', 'Heard: two']);
  await expect
    .poll(() => messages)
    .toEqual(['one', 'two'].map((message) => ({ message, clientContext: { page: 'Basket' } })));
  await expect(chat.field).toHaveValue('I would like to ');
  await expect(page.locator('#heard').getByText('parley:open')).toHaveCount(1);
});

test('a call that needs the panel is refused while the service is away, once, and done when it is back', async ({
  page,
  demo,
}) => {
  const assets = '**/assets/**';
  await page.goto(`${demo.url}/scenes/script-tag.html`);
  await page.waitForFunction(() => (globalThis as { parley?: { version?: string } }).parley?.version);
  await page.route(assets, (route) => route.abort());
  expect(await outcome(page, 'send', 'Nobody hears this')).toBe('refused');
  await expect(page.locator('#heard').getByText('"code":"PANEL"')).toHaveCount(1);
  // What needs no panel does not need the service either.
  expect(await outcome(page, 'context', { page: 'Basket' })).toBe('done');
  expect(await outcome(page, 'hide')).toBe('done');
  cutLinks();
  await page.unroute(assets);
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await page.getByRole('button', { name: 'Where is order 1042?' }).click();
  expect((await sent).postDataJSON()).toMatchObject({ clientContext: { page: 'Basket' } });
  const chat = chatIn(page);
  await expect(chat.log).toContainText('Heard: Where is order 1042?');
  await expect(chat.log).not.toContainText('Nobody');
});

test('every call does its part without a network and in the background, and the page hears of it once', async ({
  page,
  demo,
}) => {
  await page.goto(`${demo.url}/scenes/calm.html`);
  const events = ['open', 'close', 'message', 'unread', 'before-send'];
  await page.evaluate((names) => {
    const { parley: call } = globalThis;
    const told: string[] = [];
    const hear = ({ type, detail }: Event & { detail?: { text?: string; count?: number } }) =>
      told.push(`${type.slice(7)} ${detail?.text ?? detail?.count ?? ''}`.trim());
    Object.assign(globalThis, { told, hear });
    for (const name of names) void call('on', name, hear);
    const silent = () => told.push('a handler that was taken away');
    void call('on', 'message', silent);
    void call('off', 'message', silent);
  }, events);
  const told = () => page.evaluate(() => (globalThis as unknown as { told: string[] }).told);
  const launcher = page.getByRole('button', { name: 'Chat with Fern' });
  await launcher.click();
  const chat = chatIn(page);
  await chat.say('Hello');
  await expect(chat.log).toContainText('Heard: Hello');
  // A turn ends a moment after its text is there.
  const expected = ['open', 'before-send Hello', 'message Hello', 'message Heard: Hello'];
  await expect.poll(told).toEqual(expected);

  const sent: Request[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request);
  });
  await cutNetwork(page);
  const calls: [string, ...unknown[]][] = [
    ['close'],
    ['hide'],
    ['show'],
    ['toggle'],
    ['prefill', 'half a sentence'],
    ['update', { name: 'Ask Fern' }],
    ['context', { page: 'Basket' }],
    ['send', 'Offline'],
    ['close'],
  ];
  for (const call of calls) expect(await outcome(page, ...call)).toBe('done');
  await expect(page.getByRole('dialog')).toBeHidden();
  expected.push('close', 'open', 'before-send Offline', 'close');
  expect(await told()).toEqual(expected);
  const named = page.getByRole('button', { name: 'Ask Fern' });
  await expect(named).toBeVisible();

  await hide(page);
  await goOnline(page);
  await expect(named).toHaveAttribute('data-badge', '1');
  expect(sent.at(-1)!.postDataJSON()).toMatchObject({
    message: 'Offline',
    clientContext: { page: 'Basket' },
  });
  cutLinks();
  expect(await outcome(page, 'send', 'Hidden')).toBe('done');
  await expect(named).toHaveAttribute('data-badge', '2');
  expected.push(
    'message Offline',
    'message Heard: Offline',
    'before-send Hidden',
    'message Hidden',
    'message Heard: Hidden',
  );
  expect((await told()).filter((each) => !each.startsWith('unread'))).toEqual(expected);
  await show(page);
  await named.click();
  await expect(named).not.toHaveAttribute('data-badge');
  await expect(chat.field).toHaveValue('half a sentence');
  for (const text of ['Heard: Hello', 'Heard: Offline', 'Heard: Hidden'])
    await expect(chat.log.getByText(text)).toHaveCount(1);
  expect(await outcome(page, 'destroy')).toBe('done');
  await expect(page.locator('[data-parley]')).toHaveCount(0);
});

test('a message goes with what the page had said when it was written, whenever it leaves', async ({
  page,
  demo,
  finishRoads,
}) => {
  const contexts = new Map<string, unknown>();
  page.on('response', (response) => {
    const request = response.request();
    const body = request.postDataJSON() as { message?: string; clientContext?: object } | null;
    if (body?.message) contexts.set(body.message, body.clientContext);
  });
  const at = (place: string) => parley(page, 'context', { page: place });
  await page.goto(`${demo.url}/scenes/inline.html`);
  const chat = chatIn(page);
  await at('Repairs');
  await chat.say('Count');
  await expect(chat.log).toContainText('w10 ');
  // This one waits for the answer, the next for the network, the last for the page.
  await at('Bicycles');
  await chat.say('waiting');
  await expect(chat.log.getByText('Queued')).toBeVisible();
  await cutNetwork(page);
  await at('Visit');
  await chat.say('offline');
  await at('Basket');
  await goOnline(page);
  finishRoads();
  await expect(chat.log).toContainText('Heard: offline');
  await page.route('**/v1/session/*', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  );
  await chat.say('left');
  await expect(chat.log).toContainText('Not sent');
  await page.unrouteAll();
  cutLinks();
  await page.reload();
  await expect(chat.log).toContainText('Heard: left');
  await chat.say('plain');
  await expect(chat.log).toContainText('Heard: plain');
  await expect
    .poll(() => [...contexts])
    .toEqual([
      ['Count', { page: 'Repairs' }],
      ['waiting', { page: 'Bicycles' }],
      ['offline', { page: 'Visit' }],
      ['left', { page: 'Basket' }],
      ['plain', undefined],
    ]);
});

test('a frame out of sight goes on through a killed service and a cut network, and tells the page once', async ({
  page,
  demo,
  finishRoads,
}) => {
  await page.goto(`${demo.url}/scenes/iframe.html`);
  const frame = page.frameLocator('iframe');
  const toggle = page.getByRole('button', { name: 'Chat with Fern' });
  await expect(toggle).toHaveAttribute('data-ready', '');
  const chat = chatIn(frame);
  await chat.say('Count');
  await expect(chat.log).toContainText('w10 ');
  const counts: string[] = [];
  await page.exposeFunction('counted', (text: string) => counts.push(text));
  await page.evaluate(() => {
    const { counted } = globalThis as unknown as { counted: (text: string) => void };
    const unread = document.querySelector('#unread')!;
    new MutationObserver(() => counted(unread.textContent)).observe(unread, { childList: true });
  });
  await chat.field.press('Escape');
  await expect(page.locator('iframe')).toBeHidden();
  for (const place of [page, page.frames()[1]!]) await hide(place);
  await demo.killAndRestart();
  await cutNetwork(page);
  await goOnline(page);
  finishRoads();
  await expect(page.locator('#unread')).toHaveText('1 unread');
  for (const place of [page, page.frames()[1]!]) await show(place);
  await toggle.click();
  await expectCounted(chat.log);
  await expect(page.locator('#unread')).toHaveText('');
  await cutNetwork(page);
  await chat.say('Still there?');
  await expect(frame.getByText('You are offline.')).toBeVisible();
  await goOnline(page);
  await expect(chat.log).toContainText('Heard: Still there?');
  expect(counts).toEqual(['1 unread', '']);
});

test('a frame in two tabs shows one conversation, each tab what was said in the other, through a lost connection', async ({
  page,
  demo,
}) => {
  const other = await page.context().newPage();
  const open = async (tab: Page) => {
    await tab.goto(`${demo.url}/scenes/iframe.html`);
    await expect(tab.getByRole('button', { name: 'Chat with Fern' })).toHaveAttribute('data-ready', '');
    return chatIn(tab.frameLocator('iframe'));
  };
  const [here, there] = [await open(page), await open(other)];
  await here.say('one');
  for (const { log } of [here, there]) await expect(log).toContainText('Heard: one');
  cutLinks();
  await there.say('two');
  for (const { log } of [here, there]) await expect(log).toContainText('Heard: two');
  await page.reload();
  for (const { log } of [here, there])
    for (const text of ['one', 'two']) await expect(log.getByText(`Heard: ${text}`)).toHaveCount(1);
});

test('two widgets of one page each keep their own answer through a lost connection and a cut network', async ({
  page,
  demo,
  finishRoads,
}) => {
  await page.goto(`${demo.url}/scenes/two.html`);
  const inside = (id: string) => {
    const widget = page.locator(`[data-parley="${id}"]`);
    const field = widget.getByRole('textbox', { name: 'Message', exact: true });
    const say = async (text: string) => {
      await parley(page, `${id}.open`);
      await field.fill(text);
      await field.press('Enter');
    };
    return { log: widget.getByRole('log'), say };
  };
  const [fern, wren] = [inside('fern'), inside('wren')];
  await wren.say('My name is Bo');
  await fern.say('Count');
  await expect(fern.log).toContainText('w10 ');
  cutLinks();
  await cutNetwork(page);
  await wren.say('What is my name?');
  await fern.say('Afterwards');
  await hide(page);
  await goOnline(page);
  await expect(wren.log).toContainText('You are Bo.');
  finishRoads();
  await show(page);
  await expect(fern.log).toContainText('Heard: Afterwards');
  await expectCounted(fern.log);
  await page.reload();
  await expectCounted(fern.log);
  await expect(wren.log).toContainText('You are Bo.');
  for (const text of ['Heard: Afterwards', 'Count']) await expect(wren.log).not.toContainText(text);
  await expect(fern.log).not.toContainText('Bo');
});

for (const [name, address] of Object.entries({
  'an inline panel': '/scenes/inline.html',
  'a React component': '/apps/react.html',
  'an element from npm': '/apps/vite.html',
}))
  test(`${name} goes on through a lost connection, a cut network and the background`, async ({
    page,
    demo,
    finishRoads,
  }) => {
    await page.addInitScript(() => {
      const told: string[] = [];
      Object.assign(globalThis, { told });
      addEventListener('parley:message', (event) => told.push((event as CustomEvent).detail.role));
    });
    await page.goto(demo.url + address);
    const chat = chatIn(page);
    await chat.say('Count');
    await expect(chat.log).toContainText('w10 ');
    await hide(page);
    cutLinks();
    await show(page);
    await cutNetwork(page);
    await expect(page.getByText('You are offline.')).toBeVisible();
    await chat.say('Afterwards');
    await goOnline(page);
    finishRoads();
    await expect(chat.log).toContainText('Heard: Afterwards');
    await expectCounted(chat.log);
    await expect
      .poll(() => page.evaluate(() => (globalThis as unknown as { told: string[] }).told))
      .toEqual(['visitor', 'agent', 'visitor', 'agent']);
  });

test('a component taken away without a network comes back with what it had not sent', async ({
  page,
  demo,
}) => {
  await page.goto(`${demo.url}/apps/react.html`);
  const chat = chatIn(page);
  await chat.say('Hello');
  await expect(chat.log).toContainText('Heard: Hello');
  await cutNetwork(page);
  await chat.say('Offline');
  await page.getByRole('button', { name: 'Take the chat away' }).click();
  await expect(page.locator('parley-chat')).toHaveCount(0);
  await goOnline(page);
  cutLinks();
  await page.getByRole('button', { name: 'Bring the chat back' }).click();
  await expect(chat.log).toContainText('Heard: Offline');
  await page.reload();
  for (const text of ['Hello', 'Offline']) {
    await expect(chat.log).toContainText(`Heard: ${text}`);
    expect(occurrences(await chat.log.innerText(), `Heard: ${text}`)).toBe(1);
  }
});

test('a pinned loader fetches a later module when the network is back, and holds it to its hash again', async ({
  page,
  demo,
}) => {
  await page.goto(`${demo.url}/scenes/strict.html`);
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  const chat = chatIn(page);
  await chat.say('Hello');
  await expect(chat.log).toContainText('Heard: Hello');
  await expect(menuOf(page)).toBeVisible();
  await cutNetwork(page);
  const panel = page.getByRole('dialog');
  await menuOf(page).click();
  await expect(panel.getByText('The connection failed.')).toBeVisible();
  await goOnline(page);
  cutLinks();
  await panel.getByRole('button', { name: 'Try again' }).click();
  await expect(panel.getByRole('button', { name: 'Delete this conversation' })).toBeVisible();
  const links = page.locator('link[rel=modulepreload][href*="/menu-items-"]');
  await expect(links).not.toHaveCount(0);
  for (const link of await links.all()) await expect(link).toHaveAttribute('integrity', /^sha256-.{43}=$/);
});

test('two tabs that begin without a network begin one conversation', async ({ page, demo }) => {
  const chat = await openFernhill(page, demo);
  const other = await openSecond(page, demo);
  await cutNetwork(page);
  await chat.say('from the first');
  await other.chat.say('from the second');
  cutLinks();
  await goOnline(page);
  for (const tab of [chat, other.chat])
    for (const from of ['from the first', 'from the second']) {
      await expect(tab.log.getByText(`Heard: ${from}`)).toHaveCount(1);
      await expect(tab.log.getByText(from)).toHaveCount(2);
    }
});

test('what a page sends goes with what it had said before, not with what it says after', async ({
  page,
  demo,
}) => {
  await page.goto(`${demo.url}/scenes/script-tag.html`);
  const contexts: unknown[] = [];
  page.on('request', (request) => {
    const { message, clientContext } = (request.postDataJSON() ?? {}) as Record<string, unknown>;
    if (message) contexts.push(clientContext);
  });
  const send = () =>
    page.evaluate(() => {
      const { parley: call } = globalThis;
      void call('open');
      void call('context', { page: 'Basket' });
      void call('send', 'Hello');
      void call('context', { page: 'Help' });
    });
  // Before the panel is there, and after.
  for (const count of [1, 2]) {
    await send();
    await expect(chatIn(page).log.getByText('Heard: Hello')).toHaveCount(count);
  }
  expect(contexts).toEqual([{ page: 'Basket' }, { page: 'Basket' }]);
});

for (const [name, address] of Object.entries({
  'an inline panel': '/scenes/inline.html',
  'an element from npm': '/apps/vite.html',
}))
  test(`${name} is there without storage, also when the connection is lost`, async ({ page, demo }) => {
    await blockStorage(page);
    await page.goto(demo.url + address);
    await chatIn(page).say('Hello');
    await expect(chatIn(page).log).toContainText('Heard: Hello');
    cutLinks();
    await chatIn(page).say('Again');
    await expect(chatIn(page).log).toContainText('Heard: Again');
  });
