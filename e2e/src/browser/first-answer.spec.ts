import { expect } from '@playwright/test';
import { openFernhill } from './chat.ts';
import { test } from './running-demo.ts';

test('an answer is read with one module; what a tool and a link are shown with is waited for', async ({
  page,
  demo,
  script,
}) => {
  await script([
    { when: 'hours', steps: [{ say: '**Until six**, says the [door](https://example.com).' }] },
    {
      steps: [
        { say: 'I look.' },
        { call: 'order_status', input: { order: '1042' } },
        { say: 'Found **order 1042**.' },
      ],
    },
  ]);
  const rest = Promise.withResolvers<void>();
  await page.route('**/assets/{cards,parts,shell,text,thread}-*.js', async (route) => {
    await rest.promise;
    await route.continue();
  });
  const loaded = () =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .flatMap(({ name }) => /assets\/([a-z]+)-[^/]+\.js$/.exec(name)?.[1] ?? []),
    );
  const chat = await openFernhill(page, demo);
  await chat.say('What are your hours?');
  await expect(chat.log.locator('strong')).toHaveText('Until six');
  await expect(chat.log).toContainText('says the door.');
  await expect(chat.log.getByRole('link')).toHaveCount(0);
  expect([...new Set(await loaded())].toSorted()).toEqual(['panel']);

  await chat.say('Where is order 1042?');
  await expect(chat.log).toContainText('I look.');
  await expect(page.getByRole('banner').getByText('Answering…')).toBeVisible();
  await expect(chat.log).not.toContainText('Found');
  rest.resolve();
  await expect(chat.log).toContainText('Found order 1042.');
  await expect(chat.log.getByText('Order status')).toBeVisible();
  await expect(chat.log.getByRole('link', { name: 'door' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Answer again' })).toBeVisible();
});

test('half a character is sent as what the log has for it, and not waited for', async ({
  page,
  demo,
  script,
}) => {
  await script([{ steps: [{ say: 'Heard.' }] }]);
  const chat = await openFernhill(page, demo);
  await page.evaluate(() => {
    void globalThis.parley('send', `Hi ${String.fromCharCode(0xd83d)}`);
  });
  await expect(chat.log).toContainText('Heard.');
  await expect(chat.log.getByText('Hi \ufffd')).toHaveCount(1);
  await expect(chat.log.getByText('Sending…')).toBeHidden();
});
