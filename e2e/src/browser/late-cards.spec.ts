import { expect, type Page, test as base } from '@playwright/test';
import { chatIn } from './chat.ts';
import { parley } from './parley.ts';
import { action, asked, ended, event, said, step } from './recorded-turns.ts';
import { startMockService, type Recording, type MockService } from './mock-service.ts';

interface Late {
  /** Opens the widget on a mock service without its cards. Returns what lets them come. */
  openBare: (
    recording: Recording,
    kept: Record<string, string>,
    /** With which the page's address ends, and which opens the panel by itself. */
    fragment?: string,
  ) => Promise<() => void>;
}

const test = base.extend<Late>({
  openBare: async ({ page }, use) => {
    let mock: MockService | undefined;
    const released = Promise.withResolvers<void>();
    await use(async (recording, kept, fragment) => {
      mock = await startMockService(recording);
      await page.route('**/assets/cards-*.js', async (route) => {
        await released.promise;
        await route.continue();
      });
      await page.addInitScript((entries) => {
        for (const [name, value] of Object.entries(entries))
          localStorage.setItem(`parley:${location.origin}:pk_stage${name}`, value);
      }, kept);
      await page.goto(mock.url + (fragment ?? ''));
      if (!fragment) await page.getByRole('button', { name: 'Chat with Fern' }).click();
      return released.resolve;
    });
    released.resolve();
    await page.unrouteAll({ behavior: 'wait' });
    await mock?.close();
  },
});

/** All that is put off until the browser has nothing else to do has been done. */
const settle = (page: Page) =>
  page.evaluate(async () => {
    for (let turn = 0; turn < 20; turn++)
      await new Promise((idle) => requestIdleCallback(idle, { timeout: 1_000 }));
  });

test('what is said before the cards come is not taken for what was said before it; the past is drawn once, with them', async ({
  page,
  openBare,
}) => {
  const past = Array.from({ length: 30 }, (_, index) => [
    ...asked(index + 1, `Question ${index + 1}.`),
    ...said(index + 1, 'An answer.'),
    ...ended(index + 1),
  ]).flat();
  const events = [
    ...past,
    ...asked(31, 'Where is my order?'),
    ...said(31, 'I look.', 'tool-calls'),
    event('actions.requested', { ...step(31), actions: [action('order_status', {})] }),
    ...said(31, 'On its way.'),
    ...ended(31),
    ...asked(32, 'Yes'),
    ...said(32, 'All right.'),
    ...ended(32),
  ];
  const post = { status: 429, body: { ok: false, code: 'QUEUE_FULL', error: 'Too many.' } };
  const release = await openBare({ events, post }, { '': '{"sessionId":"s1","continuationToken":"t1"}' });
  const chat = chatIn(page);
  const { log } = chat;
  await expect(log).toContainText('I look.');
  await settle(page);
  await expect(log).toContainText('Question 30.');
  await expect(log).not.toContainText('Question 1.');
  await chat.say('Yes');
  await expect(log).toContainText('Not sent');
  release();
  await expect(log).toContainText('All right.');
  await expect(log).toContainText('Question 1.');
  await expect(log).toContainText('Not sent. Several messages are already waiting.');
});

test('who has agreed before goes on in the field, whenever that comes', async ({ page, openBare }) => {
  const text = 'What you write is kept for 30 days.';
  const release = await openBare({ widget: { consent: { text } } }, { ':consent': text });
  await expect(page.getByText('You are talking to an AI.')).toBeVisible();
  await expect(chatIn(page).field).toBeHidden();
  release();
  await expect(chatIn(page).field).toBeFocused();
});

test('what takes a conversation along leaves the address at once', async ({ page, openBare }) => {
  await openBare({}, {}, `#parley:pk_stage:${'t'.repeat(43)}`);
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page).not.toHaveURL(/#parley/);
});

test('of two widgets the one whose conversation comes along is opened', async ({ page }) => {
  const mock = await startMockService({ attributes: 'data-id="help"' });
  await page.goto(`${mock.url}#parley:pk_sales:${'t'.repeat(43)}`);
  await expect(page.getByRole('button', { name: 'Chat with Fern' })).toBeVisible();
  await parley(page, 'help.prefill', 'Its panel is there.');
  await parley(page, 'init', { id: 'sales', key: 'pk_sales', name: 'Sales' });
  const panelOf = (id: string) => page.locator(`[data-parley=${id}]`).getByRole('dialog');
  await expect(panelOf('sales')).toContainText('Continue the conversation from your other device here?');
  await expect(page).not.toHaveURL(/#parley/);
  await expect(panelOf('help')).toBeHidden();
  await mock.close();
});

test('a part of the panel that does not come is said, and no more when it has', async ({
  page,
  openBare,
}) => {
  await page.route('**/assets/parts-*.js', (route) => route.abort());
  const release = await openBare(
    { events: [...asked(1, 'Hello'), ...said(1, 'Hi there.'), ...ended(1)] },
    { '': '{"sessionId":"s1","continuationToken":"t1"}' },
  );
  const notice = page.getByRole('dialog').getByText('Reconnecting…');
  await expect(notice).toBeVisible();
  await expect(chatIn(page).log).toContainText('Hi there.');
  await page.unroute('**/assets/parts-*.js');
  release();
  await expect(page.getByLabel('Menu')).toBeVisible();
  await expect(notice).toBeHidden();
});

test('a link in an answer is only its text until it can be shown where it leads', async ({
  page,
  openBare,
}) => {
  const text = 'Sign in at [https://bank.example](https://evil.example).';
  const release = await openBare(
    {
      events: [
        ...asked(1, 'Where do I sign in?'),
        ...said(1, text),
        ...ended(1),
        ...asked(2, 'Where?'),
        event('message.appended', { sequence: 2, turnId: 'turn_2', stepIndex: 0, messageDelta: text }),
      ],
    },
    { '': '{"sessionId":"s1","continuationToken":"t1"}' },
  );
  const { log } = chatIn(page);
  await expect(log.getByText('https://bank.example')).toHaveCount(2);
  await expect(log.getByRole('link')).toHaveCount(0);
  release();
  await expect(log.getByRole('link')).toHaveCount(2);
  await expect(log.getByText('(evil.example)')).toHaveCount(2);
});

test('who reads further up stays there, also before the cards come', async ({ page, openBare }) => {
  const long = Array.from({ length: 60 }, (_, index) => `Line ${index + 1}.`).join('\n\n');
  await openBare(
    { events: [...asked(1, 'Hello'), ...said(1, long), ...ended(1)] },
    { '': '{"sessionId":"s1","continuationToken":"t1"}' },
  );
  const { log } = chatIn(page);
  await expect(log.getByText('Line 60.')).toBeInViewport();
  await log.evaluate(async (element) => {
    // It has been told of where it is now.
    await new Promise(requestAnimationFrame);
    element.scrollTop = 400;
  });
  await expect(log.getByText('Line 60.')).not.toBeInViewport();
  await page.setViewportSize({ width: 900, height: 700 });
  await settle(page);
  expect(await log.evaluate((element) => element.scrollTop)).toBeLessThan(500);
});
