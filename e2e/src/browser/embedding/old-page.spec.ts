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
  await chat.say('Refund order 1057');
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(chat.log.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  await page.reload();
  await expect(chat.log).toContainText('For gravel tracks I would try two bikes');
});

const junk = {
  Promise: null,
  Map: '{}',
  URL: "'https://fernhill.example'",
  JSON: '{ encode() {}, decode() {} }',
  fetch: "async () => ({ ok: true, text: async () => '' })",
  setTimeout: '() => {}',
};
for (const [name, value] of Object.entries(junk))
  test(`${name}, replaced when the launcher was there, is not what the chat uses`, async ({
    page,
    openScene,
  }) => {
    await openScene('calm');
    await expect(page.getByRole('button', { name: 'Chat with Fern' })).toBeVisible();
    await page.evaluate(`globalThis.${name} = ${value}`);
    await talk(page);
    await expect(chatIn(page).field).toBeFocused();
  });
