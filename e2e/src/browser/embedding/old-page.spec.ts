import { expect, type Page } from '@playwright/test';
import { chatIn } from '../chat.ts';
import { talk, test } from './scene.ts';

/** What the page gives the widget, with lists in it. */
const offer = (page: Page) =>
  page.evaluate(() => {
    const { parley } = globalThis;
    void parley('context', { basket: ['bell', 'pump'] });
    void parley('tool', {
      name: 'add_to_basket',
      description: 'Puts an article into the basket.',
      parameters: { type: 'object', properties: { article: { type: 'string' } }, required: ['article'] },
      run: () => 'done',
    });
  });

test('an old page: what its libraries have changed and its scripts have replaced does not reach the chat', async ({
  page,
  openScene,
}) => {
  await openScene('old-page');
  await expect(page.getByRole('button', { name: 'Chat with Fern' })).toBeVisible();
  await offer(page);
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  const chat = await talk(page);
  expect((await sent).postDataJSON()).toEqual({
    message: 'When are you open?',
    clientMessageId: expect.any(String),
    clientContext: { basket: ['bell', 'pump'] },
    clientTools: [
      {
        name: 'add_to_basket',
        description: 'Puts an article into the basket.',
        parameters: { type: 'object', properties: { article: { type: 'string' } }, required: ['article'] },
      },
    ],
  });
  await chat.say('Which bike suits me?');
  await page.getByRole('button', { name: 'On gravel' }).click();
  await expect(chat.log).toContainText('For gravel tracks I would try two bikes');
  await chat.say('Refund order 1071');
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(chat.log.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  await page.reload();
  await expect(chat.log).toContainText('For gravel tracks I would try two bikes');
});

/** Without a function around it, since what returns from one is looked at with the page’s own. */
const junk = `
  globalThis.Map = {};
  globalThis.URL = 'https://fernhill.example';
  globalThis.fetch = async () => ({ ok: true, text: async () => '' });
  globalThis.setTimeout = () => {};
  globalThis.Promise = null;`;
test('what is replaced when the launcher was there is not what the chat uses', async ({
  page,
  openScene,
}) => {
  await openScene('calm');
  await expect(page.getByRole('button', { name: 'Chat with Fern' })).toBeVisible();
  await page.evaluate(junk);
  await talk(page);
  await expect(chatIn(page).field).toBeFocused();
});

test('a page whose JSON throws and whose fetch cannot be called has a chat that it opens and tells of itself', async ({
  page,
  openScene,
}) => {
  await openScene('calm');
  await expect(page.getByRole('button', { name: 'Chat with Fern' })).toBeVisible();
  await page.evaluate(async () => {
    const refuse = () => {
      throw new Error('No.');
    };
    Object.assign(globalThis, { JSON: { parse: refuse, stringify: refuse }, fetch: 'none' });
    await globalThis.parley('context', { basket: ['bell'] });
    await globalThis.parley('open');
  });
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  const chat = chatIn(page);
  await chat.say('When are you open?');
  await expect(chat.log.getByRole('cell', { name: '9:00 to 16:00' })).toBeVisible();
  expect((await sent).postDataJSON()).toMatchObject({ clientContext: { basket: ['bell'] } });
});

test('what is typed as soon as the panel opens is in its field, in the order it was typed', async ({
  page,
  openScene,
}) => {
  await openScene('calm');
  const released = Promise.withResolvers<void>();
  await page.route('**/v1/config*', async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  await expect(page.getByRole('dialog')).toBeFocused();
  await page.keyboard.type('When are ');
  released.resolve();
  // Some of it is typed before the field is there, and some after.
  await page.keyboard.type('you open on a Sunday?');
  await expect(chatIn(page).field).toHaveValue('When are you open on a Sunday?');
});
