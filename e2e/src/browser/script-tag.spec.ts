import { expect } from '@playwright/test';
import { openFernhill } from './chat.ts';
import { test } from './running-demo.ts';

test('a visitor opens the chat, takes a suggestion and reads a formatted answer', async ({ page, demo }) => {
  const chat = await openFernhill(page, demo);
  await page.getByRole('button', { name: 'Where is order 1042?' }).click();
  await expect(chat.log).toContainText('Where is order 1042?');
  await expect(chat.log).toContainText('left the workshop on Tuesday');
  await expect(chat.log.getByRole('strong')).toHaveText('tomorrow between 9 and 12');
});

test('a table in an answer is a table', async ({ page, demo }) => {
  const chat = await openFernhill(page, demo);
  await chat.say('When are you open?');
  await expect(chat.log.getByRole('cell', { name: '9:00 to 16:00' })).toBeVisible();
});

test('the agent remembers what was said before a reload', async ({ page, demo }) => {
  const chat = await openFernhill(page, demo);
  await chat.say('My name is Ada');
  await expect(chat.log).toContainText('Nice to meet you, Ada');
  await page.reload();
  await expect(chat.log).toContainText('Nice to meet you, Ada');
  await chat.say('What is my name?');
  await expect(chat.log).toContainText('You are Ada.');
});

test('nothing is stored before the visitor does something', async ({ page, demo, context }) => {
  await page.goto(`${demo.url}/fernhill/`);
  await expect(page.getByRole('button', { name: 'Chat with Fern' })).toBeVisible();
  const { origins, cookies } = await context.storageState();
  expect([origins, cookies]).toEqual([[], []]);
});

test('escape closes the panel and gives the focus back', async ({ page, demo }) => {
  const chat = await openFernhill(page, demo);
  await chat.field.press('Escape');
  await expect(chat.field).toBeHidden();
  await expect(page.getByRole('button', { name: 'Chat with Fern' })).toBeFocused();
});
