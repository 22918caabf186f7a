import { expect } from '@playwright/test';
import { chatIn } from './chat.ts';
import { test } from './running-demo.ts';

test('the iframe holds a conversation of its own', async ({ page, demo }) => {
  await page.goto(`${demo.url}/saltmarsh/`);
  const chat = chatIn(page.frameLocator('iframe'));
  await chat.say('What is the weather in Eastness?');
  await expect(chat.log).toContainText('In Eastness it is 14 °C');
});

test('a question in the iframe leads to an approval', async ({ page, demo }) => {
  await page.goto(`${demo.url}/saltmarsh/`);
  const frame = page.frameLocator('iframe');
  const chat = chatIn(frame);
  await chat.say('Hold a cabin for Friday');
  await frame.getByRole('radio', { name: 'Curlew' }).check();
  await frame.getByRole('button', { name: 'Answer', exact: true }).click();
  const approval = frame.getByRole('group', { name: 'Hold cabin' });
  await expect(approval).toContainText('Curlew');
  await approval.getByRole('button', { name: 'Approve' }).click();
  await expect(chat.log).toContainText('Curlew is held for you from Friday');
});

test('a page that may not use the key gets no frame', async ({ page, demo }) => {
  const source = `${demo.service}/v1/frame?key=pk_live_unknown`;
  const response = await page.request.get(source);
  expect(response.headers()['content-security-policy'] ?? '').not.toContain(demo.url);
});
