import { expect } from '@playwright/test';
import { openFernhill } from './chat.ts';
import { test } from './running-demo.ts';

test('a failed answer says so, and a retry succeeds', async ({ page, demo, script }) => {
  await script([{ steps: [{ say: 'Half an ans' }, { fail: 'secret reason' }] }]);
  const chat = await openFernhill(page, demo);
  await chat.say('Is it ready?');
  await expect(chat.log).toContainText('The answer could not be completed.');
  await expect(chat.log).not.toContainText('secret reason');

  await script([{ steps: [{ say: 'It is ready.' }] }]);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(chat.log).toContainText('It is ready.');
});

test('a tool that is down is told to the visitor', async ({ page, demo }) => {
  const chat = await openFernhill(page, demo);
  await chat.say('Is the chain in stock?');
  await expect(chat.log).toContainText('It does not answer.');
  await expect(chat.log).not.toContainText('The stock system is being counted.');
});

test('a long answer can be stopped', async ({ page, demo, script }) => {
  await script([{ steps: [{ say: 'tick ', repeat: 2_000, delayMs: 20 }] }]);
  const chat = await openFernhill(page, demo);
  await chat.say('Tick');
  await expect(chat.log).toContainText('tick tick tick');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(chat.log).toContainText('Stopped.');
});

test('the same agent answers a server', async ({ request, demo }) => {
  const response = await request.post(`${demo.service}/api/v1/agent/chat`, {
    headers: { authorization: `Bearer ${demo.secretKey}` },
    data: { id: 'ticket-1', text: 'Where is order 1042?' },
  });
  expect(response.status()).toBe(200);
  expect(await response.json()).toMatchObject({ id: 'ticket-1', text: expect.stringContaining('courier') });
});
