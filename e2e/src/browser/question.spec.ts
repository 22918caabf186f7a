import { expect } from '@playwright/test';
import { openFernhill } from './chat.ts';
import { test } from './running-demo.ts';

test('a question is answered by a click on one of its options', async ({ page, demo }) => {
  const chat = await openFernhill(page, demo);
  await chat.say('Which bike suits me?');
  await expect(page.getByRole('button', { name: 'Answer', exact: true })).toBeHidden();
  await page.getByRole('button', { name: 'On gravel' }).click();
  await expect(chat.log).toContainText('For gravel tracks I would try two bikes');
  await expect(chat.log).toContainText('You answered: On gravel');
});

test('a question is answered in words of the visitor, and shows them after a reload', async ({
  page,
  demo,
}) => {
  const chat = await openFernhill(page, demo);
  await chat.say('Which bike suits me?');
  await page.getByRole('button', { name: 'Other…' }).click();
  await expect(page.getByRole('textbox', { name: 'Your answer' })).toBeFocused();
  await page.getByRole('textbox', { name: 'Your answer' }).fill('up and down the stairs');
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  await expect(chat.log).toContainText('For up and down the stairs I would try two bikes');
  await page.reload();
  await expect(chat.log).toContainText('You answered: up and down the stairs');
});
