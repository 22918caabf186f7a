import { expect, type Page, test as base } from '@playwright/test';
import { chatIn } from './chat.ts';
import { asked, ended, request, said } from './recorded-turns.ts';
import { startMockService, type Recording, type MockService } from './mock-service.ts';
import { enter } from './states.ts';

const test = base.extend<{ raise: (recording: Recording) => Promise<MockService> }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the pattern.
  raise: async ({}, use) => {
    const services: MockService[] = [];
    await use(async (recording) => {
      services.push(await startMockService(recording));
      return services.at(-1)!;
    });
    for (const service of services) await service.close();
  },
});

/** What came of calls that a page has got wrong, each told by its promise. */
const callWrongly = (page: Page) =>
  page.evaluate(async () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const calls: [string, ...unknown[]][] = [
      ['opne'],
      ['toString'],
      ['context', 'Pricing'],
      ['context', circular],
      ['send', { text: 'Hello' }],
      ['send', ' '],
      ['prefill', 5],
    ];
    const outcomes = await Promise.allSettled(calls.map((call) => globalThis.parley(...call)));
    return outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : 'done'));
  });

const wrong = [
  'Error: Parley: there is no call opne.',
  'Error: Parley: there is no call toString.',
  'Error: Parley: context takes an object of 20,000 characters as JSON, or null.',
  expect.stringMatching(/circular|cyclic|context takes/),
  'Error: Parley: send takes a text that is not empty.',
  'Error: Parley: send takes a text that is not empty.',
  'Error: Parley: prefill takes a text.',
];

test('a call that a page gets wrong is refused in words, before the panel is there and after, and breaks nothing', async ({
  page,
  raise,
}) => {
  const service = await raise({});
  await page.goto(service.url);
  const launcher = page.getByRole('button', { name: 'Chat with Fern' });
  await expect(launcher).toBeVisible();
  expect(await callWrongly(page)).toEqual(wrong);
  await launcher.click();
  await expect(chatIn(page).field).toBeVisible();
  expect(await callWrongly(page)).toEqual(wrong);
  const sent = page.waitForRequest((each) => each.method() === 'POST');
  await chatIn(page).say('Hello');
  expect((await sent).postDataJSON()).toEqual({
    message: 'Hello',
    clientMessageId: expect.stringMatching(/^\w{32}$/),
  });
});

test('context, labels, tools and launchers that cannot be used are refused where they are called, without the panel', async ({
  page,
  raise,
}) => {
  const service = await raise({});
  const told: string[] = [];
  const loaded: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && told.push(message.text())));
  page.on('request', (request) => void loaded.push(new URL(request.url()).pathname));
  await page.goto(service.url);
  const launcher = page.getByRole('button', { name: 'Chat with Fern' });
  await expect(launcher).toBeVisible();
  const outcomes = await page.evaluate(async () => {
    const tool = (name: string) => ({
      name,
      description: 'Does it.',
      parameters: { type: 'object' },
      run: () => 1,
    });
    const calls: [string, ...unknown[]][] = [
      ['update', { labels: { message: {} } }],
      ['update', { launcher: '##' }],
      ['tool', { name: 'add it', description: '', run: () => 1 }],
      ['context', { long: 'x'.repeat(20_000) }],
      ['identify', 5],
      ['update', { launcher: undefined, labels: { message: 'Your message' } }],
      ['context', { page: 'Pricing' }],
      ...Array.from({ length: 21 }, (_, index): [string, unknown] => ['tool', tool(`tool_${index}`)]),
    ];
    const settled = await Promise.allSettled(calls.map((call) => globalThis.parley(...call)));
    return settled.map((each) => (each.status === 'rejected' ? String(each.reason) : 'done'));
  });
  const changed = 'update takes options, labels that are texts, and a launcher that is a selector.';
  expect(outcomes).toEqual([
    `Error: Parley: ${changed}`,
    `Error: Parley: ${changed}`,
    expect.stringContaining('Parley: tool takes'),
    expect.stringContaining('Parley: context takes'),
    'Error: Parley: identify takes a token or a function that gives one.',
    'done',
    'done',
    ...Array<string>(20).fill('done'),
    expect.stringContaining('20 tools'),
  ]);
  expect(loaded.filter((path) => path.includes('/panel-'))).toEqual([]);
  await launcher.click();
  const sent = page.waitForRequest((each) => each.method() === 'POST');
  await page.getByRole('textbox', { name: 'Your message' }).fill('Hello');
  await page.getByRole('button', { name: 'Send' }).click();
  const body = (await sent).postDataJSON() as { clientContext: unknown; clientTools: unknown[] };
  expect(body.clientContext).toEqual({ page: 'Pricing' });
  expect(body.clientTools).toHaveLength(20);
  // Whoever called has heard of it.
  expect(told).toEqual([]);
});

test('an update that is refused changes nothing, and labels that are taken back are the language’s', async ({
  page,
  raise,
}) => {
  const service = await raise({});
  await page.goto(service.url);
  const launcher = page.getByRole('button', { name: 'Chat with Fern' });
  const look = () =>
    page
      .locator('[data-parley]')
      .evaluate((host) => (host as HTMLElement).style.getPropertyValue('--parley-accent'));
  const update = (options: object) =>
    page.evaluate((changed) => globalThis.parley('update', changed).catch(String), options);
  await expect(launcher).toBeVisible();
  expect(await update({ launcher: '##', accent: '#ff0000' })).toContain('update takes');
  await expect(launcher).toBeVisible();
  await launcher.click();
  await expect(chatIn(page).field).toBeVisible();
  const accent = await look();
  expect(accent).toMatch(/^#/);
  expect(await update({ labels: { send: 1 }, position: 'start' })).toContain('update takes');
  expect(await update({ launcher: '##' })).toContain('update takes');
  expect(await look()).toBe(accent);
  await expect(launcher).toBeVisible();
  await expect(launcher).toHaveAccessibleName('Chat with Fern');
  await update({ labels: { message: 'Your message' } });
  const own = page.getByRole('textbox', { name: 'Your message' });
  await expect(own).toBeVisible();
  await page.evaluate(() => globalThis.parley('update', { labels: undefined }));
  await expect(own).toHaveCount(0);
  await expect(chatIn(page).field).toBeVisible();
});

test('whoever clicks again while the panel is on its way has it open', async ({ page, raise }) => {
  const service = await raise({});
  const held = Promise.withResolvers<void>();
  await page.route(/\/panel-[^/]*\.js/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(service.url);
  const launcher = page.getByRole('button', { name: 'Chat with Fern' });
  await launcher.click();
  await launcher.click();
  held.resolve();
  await expect(chatIn(page).field).toBeVisible();
  await launcher.click();
  await expect(chatIn(page).field).toBeHidden();
});

test('labels and a launcher of the options that cannot be used are told when the panel comes, and left out', async ({
  page,
  raise,
}) => {
  const service = await raise({});
  const told: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && told.push(message.text())));
  await page.addInitScript(() =>
    Object.assign(globalThis, { parleySettings: { labels: { send: 5 }, launcher: 'nav >' } }),
  );
  await page.goto(service.url);
  await page.evaluate(() => globalThis.parley('open'));
  const refused = () => told.filter((text) => text.includes('a launcher that is a selector'));
  // Once for the labels, and once for the launcher.
  await expect.poll(refused).toHaveLength(2);
  await chatIn(page).field.fill('Hello');
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
});

test('what cannot be drawn is told, and the chat can be loaded anew', async ({ page, raise }) => {
  const question = { requestId: 'ask_1', kind: 'question', prompt: 'Which?', options: [null] };
  const action = { callId: 'ask_1', input: {}, kind: 'tool-call', toolName: 'ask_question' };
  const recording: Recording = {
    events: [...asked(1, 'Hello'), request({ ...question, action }), ...ended(1)],
  };
  const service = await raise(recording);
  const errors: unknown[] = [];
  await page.exposeFunction('tellError', (error: unknown) => errors.push(error));
  await page.addInitScript(() =>
    document.addEventListener('parley:error', (event) =>
      (globalThis as unknown as { tellError(error: unknown): void }).tellError((event as CustomEvent).detail),
    ),
  );
  await enter(page, service.url, { shows: 'Something went wrong.' });
  const reload = page.getByRole('button', { name: 'Reload the chat' });
  await expect(reload).toBeVisible();
  expect(errors).toMatchObject([{ code: 'PROTOCOL' }]);
  recording.events = [...asked(1, 'Hello'), ...said(1, 'Hi there.'), ...ended(1)];
  await reload.click();
  await expect(chatIn(page).log).toContainText('Hi there.');
  await chatIn(page).field.fill('Still here');
});
