import { expect, type Page } from '@playwright/test';
import { heard, openFernhill } from '../chat.ts';
import { hand, invoice, photo } from '../files.ts';
import { blockStorage, cutNetwork, keptOf, goOnline, test, duringOutage } from './resilience.ts';

const fields = [
  { name: 'name', label: 'Your name', required: true },
  { name: 'day', label: 'Day', type: 'date', required: true },
];
const options = [
  { id: 'city', label: 'In the city' },
  { id: 'gravel', label: 'On gravel' },
];
const booking = [
  { ask: { prompt: 'Your booking', fields } },
  { say: 'Thank you. One more thing.' },
  { ask: { prompt: 'Where do you ride?', options, multiple: true, allowFreeform: true } },
  { say: 'I have noted `{{result}}`.' },
];
const submit = (page: Page) => page.getByRole('button', { name: 'Answer', exact: true });
const bad = (page: Page) => page.getByRole('log').getByRole('button', { name: 'Bad answer' }).first();
/** What can be done with an earlier answer is shown to who points at it. */
const rateBad = async (page: Page) => {
  await page.getByRole('log').getByText('Heard: Hello').hover();
  await bad(page).click();
};

/** Beyond storage: what throws where a browser blocks all that pages of one origin share. */
const blocked = {
  'the channel between tabs, and requests for locks': () => {
    globalThis.BroadcastChannel = function channel() {
      throw new DOMException('blocked', 'SecurityError');
    } as unknown as typeof BroadcastChannel;
    LockManager.prototype.request = () => {
      throw new DOMException('blocked', 'SecurityError');
    };
  },
  locks: () => {
    Object.defineProperty(Navigator.prototype, 'locks', {
      get() {
        throw new DOMException('blocked', 'SecurityError');
      },
    });
  },
};
for (const [name, block] of Object.entries(blocked))
  test(`where a browser blocks even ${name}, the chat answers and goes on`, async ({
    page,
    demo,
    script,
  }) => {
    await script([{ when: 'time', steps: [{ call: 'tell_time' }, { say: 'It is {{result}}.' }] }, ...heard]);
    await blockStorage(page);
    await page.addInitScript(block);
    const chat = await openFernhill(page, demo);
    for (const text of ['Hello', 'Again']) {
      await chat.say(text);
      await expect(chat.log).toContainText(`Heard: ${text}`);
    }
    await page.evaluate(() =>
      globalThis.parley('tool', {
        name: 'tell_time',
        description: 'Tells the time.',
        parameters: { type: 'object' },
        run: () => 'noon',
      }),
    );
    await chat.say('What time is it?');
    await expect(chat.log).toContainText('It is noon.');
  });

test('without storage files, forms and ratings get through once, whatever is away meanwhile', async ({
  page,
  demo,
  script,
}) => {
  await script([{ when: 'book', steps: booking }, ...heard]);
  await blockStorage(page);
  const chat = await openFernhill(page, demo);
  const begun = page.waitForResponse((response) => response.request().method() === 'POST');
  await chat.say('Hello');
  const sessionId = (await begun).headers()['x-parley-session-id']!;
  await expect(bad(page)).toBeVisible();

  await hand(page, 'paste', photo);
  await hand(page, 'drop', invoice);
  await expect(page.locator('.composer').getByRole('listitem')).toHaveCount(2);
  await cutNetwork(page);
  await chat.say('Look');
  await expect(chat.log).toContainText('Waits for the connection');
  await duringOutage(page, demo, () => goOnline(page));
  await expect(chat.log).toContainText('Heard: Look');
  await expect(chat.log.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveCount(2);

  await chat.say('Book a cabin');
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('Day').fill('2027-12-24');
  await duringOutage(page, demo, async () => {
    await rateBad(page);
    await expect(chat.log).toContainText('Your rating was not saved.');
    await submit(page).click();
    await expect(chat.log).toContainText('The connection failed.');
    await expect(page.getByLabel('Day')).toHaveValue('2027-12-24');
  });
  await expect(chat.log.getByRole('definition')).toHaveText(['Ada', 'December 24, 2027']);
  await page.getByRole('checkbox', { name: 'On gravel' }).check();
  const rated = page.waitForResponse((response) => response.url().endsWith('/feedback') && response.ok());
  await rateBad(page);
  await rated;
  await cutNetwork(page);
  await submit(page).click();
  await expect(chat.log).toContainText('The connection failed.');
  await expect(page.getByRole('checkbox', { name: 'On gravel' })).toBeChecked();
  await goOnline(page);
  await expect(chat.log).toContainText('I have noted ["gravel"].');
  await expect(chat.log.getByText('You answered: On gravel')).toHaveCount(1);
  await expect(bad(page)).toHaveAttribute('aria-pressed', 'true');

  expect(await keptOf(demo, sessionId)).toMatchObject({
    messages: ['Hello', expect.stringContaining('Look'), 'Book a cabin'],
    files: 2,
    answers: 2,
  });
  const ratings = (await demo.feedback()).filter((each) => each.sessionId === sessionId);
  expect(ratings).toMatchObject([{ rating: 'down' }]);
});
