import { expect, test } from '@playwright/test';
import { startServer } from '../server.ts';
import { heard } from './chat.ts';

test('the team opens what a visitor sent, and sees how its name ends and where it is', async ({ page }) => {
  const service = await startServer();
  try {
    const created = (path: string, body: object) =>
      service.settings<Record<string, string>>('POST', path, body);
    const { id: tenantId } = await created('/tenants', { name: 'Harbour' });
    const model = { provider: 'scripted', script: heard };
    const { id: agentId } = await created('/agents', { tenantId, name: 'Ada', model });
    const { key } = await created('/keys', { tenantId, agentId, kind: 'secret' });
    const file = {
      type: 'file',
      mediaType: 'application/pdf',
      filename: 'invoice\u202efdp.exe',
      data: Buffer.from('%PDF-').toString('base64'),
    };
    const address = {
      type: 'file',
      mediaType: 'image/png',
      filename: 'receipt.png',
      data: 'https://parley.example@other.example/sign-in',
    };
    await fetch(`${service.url}/parley/v1/session`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: [{ type: 'text', text: 'Is this paid?' }, file, address] }),
    });
    await page.goto(service.setupLink ?? '');
    await page.getByLabel('Your name').fill('Zoe');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Continue' }).click();

    const elsewhere = page.getByRole('link', { name: 'receipt.png at other.example', exact: true });
    const sent = page.getByRole('link', { name: 'invoicefdp.exe', exact: true });
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await page.locator('.inbox-row', { hasText: 'Is this paid?' }).click();
    await expect(sent).toHaveAttribute('href', /\/parley\/v1\/file\/file_/);
    await expect(elsewhere).toHaveAttribute('href', address.data);
    await page.getByRole('link', { name: 'Conversations' }).first().click();
    await page.getByRole('link', { name: /Is this paid/ }).click();
    await expect(sent).toHaveAttribute('href', /\/parley\/v1\/file\/file_/);
    await expect(elsewhere).toHaveAttribute('href', address.data);
  } finally {
    await service.stop();
  }
});
