import { expect } from '@playwright/test';
import { openFernhill, toBegin } from './chat.ts';
import { test } from './running-demo.ts';

test('an approval outlives a reload, and the refund is carried out once', async ({ page, demo }) => {
  const chat = await openFernhill(page, demo);
  await chat.say('Refund order 1057');
  const approval = page.getByRole('group', { name: 'Refund order' });
  await expect(approval).toContainText('1057');
  await page.reload();
  await approval.getByRole('button', { name: 'Approve' }).click();
  await expect(chat.log).toContainText('129.00 € for order 1057 goes back');
  await expect(approval).toBeHidden();
  await chat.say('Where is order 1057?');
  await expect(chat.log).toContainText('Order 1057 was refunded.');
});

test('an approval says what will happen, every argument under its label, and the exact call behind Details', async ({
  page,
  demo,
}) => {
  const chat = await openFernhill(page, demo);
  await chat.say('Refund order 1057');
  const approval = page.getByRole('group', { name: 'Refund order 1057 in full', exact: true });
  await expect(approval.getByRole('term')).toHaveText(['Order', 'Reason']);
  await expect(approval.getByRole('definition')).toHaveText(['1057', 'Requested by the customer in chat']);
  await expect(approval.getByText('refund_order')).toBeHidden();
  await approval.getByText('Details').click();
  await expect(approval.getByText('refund_order')).toBeVisible();
  await expect(approval.locator('pre')).toHaveText(
    JSON.stringify({ order: '1057', reason: 'Requested by the customer in chat' }, null, 2),
  );
  await approval.getByRole('button', { name: 'Decline' }).click();
  await expect(chat.log).toContainText('Declined: Refund order');
});

test('an approval and its line speak the language of the page', async ({ page, demo }) => {
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => (document.documentElement.lang = 'de')),
  );
  await page.goto(`${demo.url}/fernhill/`);
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  const field = page.getByRole('textbox', { name: 'Nachricht', exact: true });
  await field.fill('Refund order 1057');
  await field.press('Enter');
  const approval = page.getByRole('group', { name: 'Bestellung 1057 vollständig erstatten', exact: true });
  await approval.getByRole('button', { name: 'Ablehnen' }).click();
  await expect(page.getByRole('log')).toContainText('Bestellung erstatten');
});

test('a declined refund is not carried out', async ({ page, demo }) => {
  const chat = await openFernhill(page, demo);
  await chat.say('Refund order 1063');
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(chat.log).toContainText('Declined: Refund order');
  await chat.say('Where is order 1063?');
  await expect(chat.log).toContainText('Order 1063 waits for a part');
});

test('a yes that was written before the approval was on the screen does not approve it', async ({
  page,
  demo,
}) => {
  const chat = await openFernhill(page, demo);
  const written = Promise.withResolvers<void>();
  await page.route(toBegin, async (route) => {
    await written.promise;
    await route.continue();
  });
  const shown = Promise.withResolvers<void>();
  await page.route('**/v1/session/*', async (route) => {
    if (route.request().method() === 'POST') await shown.promise;
    await route.continue();
  });
  await chat.say('Refund order 1071');
  await chat.say('yes');
  written.resolve();
  const approval = page.getByRole('group', { name: 'Refund order' });
  await expect(approval).toBeVisible();
  const heard = page.waitForResponse((response) => response.request().postData()?.includes('yes') ?? false);
  shown.resolve();
  await heard;
  await expect(chat.log).not.toContainText('Sending');
  await approval.getByRole('button', { name: 'Decline' }).click();
  await expect(chat.log).toContainText('Declined: Refund order');
  await chat.say('Where is order 1071?');
  await expect(chat.log).not.toContainText('goes back');
});
