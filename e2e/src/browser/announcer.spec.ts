import { expect } from '@playwright/test';
import { openFernhill } from './chat.ts';
import { test } from './running-demo.ts';

test('a finished answer is read out once, without marks and addresses; history is not', async ({
  page,
  demo,
  script,
}) => {
  await script([
    {
      steps: [{ say: 'See **[the map](https://example.com/a/map?x=1)**, or https://fernhill.example/shop.' }],
    },
  ]);
  const chat = await openFernhill(page, demo);
  const spoken = page.locator('.hidden[aria-live=polite]');
  await chat.say('Where?');
  await expect(spoken).toHaveText('See the map, or fernhill.example.');
  await page.reload();
  await expect(chat.log).toContainText('See the map');
  await expect(page.getByRole('button', { name: 'Answer again' })).toBeVisible();
  await expect(spoken).toHaveText('');
});

test('what goes on after a reload is read out too, however quickly it comes', async ({ page, demo }) => {
  const chat = await openFernhill(page, demo);
  await chat.say('Refund order 1057, please.');
  await expect(page.locator('.hidden[aria-live=assertive]')).toContainText('Your approval is needed');
  await page.reload();
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(page.locator('.hidden[aria-live=polite]')).not.toHaveText('');
});
