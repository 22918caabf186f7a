import { expect, type Page } from '@playwright/test';
import { chatIn } from '../chat.ts';
import { test } from './scene.ts';

const basket = {
  when: 'basket',
  steps: [{ call: 'add_to_basket', input: { article: 'bell' } }, { say: 'Now: {{result}}' }],
};

/** Offers a tool of the page that answers, or one that never does. */
const offerTool = (page: Page, answers: boolean) =>
  page.evaluate(
    (answering) =>
      globalThis.parley('tool', {
        name: 'add_to_basket',
        description: 'Puts an article into the basket.',
        parameters: { type: 'object', properties: { article: { type: 'string' } } },
        display: { title: { en: 'Your basket', de: 'Ihr Warenkorb' } },
        run: ({ article }: { article: string }) =>
          answering ? `${article} is in the basket` : new Promise(() => {}),
      }),
    answers,
  );

test('the agent calls a function of the page, which hears the visitor’s context', async ({
  page,
  openScene,
  script,
}) => {
  await script([basket]);
  await openScene('script-tag');
  await offerTool(page, true);
  await page.getByRole('link', { name: 'Help' }).click();
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await chatIn(page).say('Put a bell into my basket');
  expect((await sent).postDataJSON()).toMatchObject({
    clientContext: { page: 'The script tag scene' },
    clientTools: [{ name: 'add_to_basket' }],
  });
  await expect(chatIn(page).log).toContainText('Now: bell is in the basket');
});

test('a call of the page’s function waits for the page to come back', async ({ page, openScene, script }) => {
  await script([basket]);
  await openScene('script-tag');
  await offerTool(page, false);
  await page.getByRole('link', { name: 'Help' }).click();
  await chatIn(page).say('Put a bell into my basket');
  await expect(chatIn(page).log.getByText('Your basket')).toBeVisible();
  await page.reload();
  await offerTool(page, true);
  await expect(chatIn(page).log).toContainText('Now: bell is in the basket');
  await expect(chatIn(page).log).toContainText('Your basket');
  await page.evaluate(() => globalThis.parley('update', { locale: 'de' }));
  await expect(chatIn(page).log).toContainText('Ihr Warenkorb');
});

test('logout forgets the conversation, hide takes the launcher away, and an unknown call is refused', async ({
  page,
  openScene,
  context,
}) => {
  await openScene('calm');
  const launcher = page.getByRole('button', { name: 'Chat with Fern' });
  await launcher.click();
  await chatIn(page).say('When are you open?');
  await expect(chatIn(page).log.getByRole('cell', { name: '9:00 to 16:00' })).toBeVisible();
  const call = (...args: [string, ...unknown[]]) =>
    page.evaluate((given) => {
      const { parley } = globalThis;
      return parley(...(given as [string])).then(
        () => 'done',
        () => 'refused',
      );
    }, args);
  expect(await call('logout')).toBe('done');
  await expect(chatIn(page).log.getByRole('cell')).toHaveCount(0);
  const { origins } = await context.storageState();
  expect(origins.flatMap(({ localStorage }) => localStorage)).toEqual([]);
  expect(await call('hide')).toBe('done');
  await expect(launcher).toBeHidden();
  expect(await call('show')).toBe('done');
  await expect(launcher).toBeVisible();
  expect(await call('close')).toBe('done');
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(await call('opne')).toBe('refused');
});
