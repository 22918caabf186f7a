import { expect } from '@playwright/test';
import { openFernhill } from './chat.ts';
import { test } from './running-demo.ts';

test('a question is answered with one of its options', async ({ page, demo }) => {
  const chat = await openFernhill(page, demo);
  await chat.say('Which bike suits me?');
  await page.getByRole('radio', { name: 'On gravel' }).check();
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  await expect(chat.log).toContainText('For gravel tracks I would try two bikes');
  await expect(chat.log).toContainText('You answered: On gravel');
});

test('a question is answered in words of the visitor, and shows them after a reload', async ({
  page,
  demo,
}) => {
  const chat = await openFernhill(page, demo);
  await chat.say('Which bike suits me?');
  await page.getByRole('radio', { name: 'Other…' }).check();
  await page.getByRole('textbox', { name: 'Your answer' }).fill('up and down the stairs');
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  await expect(chat.log).toContainText('For up and down the stairs I would try two bikes');
  await page.reload();
  await expect(chat.log).toContainText('You answered: up and down the stairs');
});
