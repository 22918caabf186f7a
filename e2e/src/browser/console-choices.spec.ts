import { expect, type Locator, type Page, test } from '@playwright/test';
import { startServer } from '../server.ts';
import { heard } from './chat.ts';
import { identitySecret, sign } from './visitor-token.ts';

const password = 'correct horse battery';

/** What cannot be saved, however often, is not shown as chosen. */
async function expectUnsaved(page: Page, select: Locator, option: string, address: RegExp): Promise<void> {
  const before = await select.inputValue();
  await page.route(address, (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
  );
  for (let times = 0; times < 2; times += 1) {
    const failed = page.waitForEvent('requestfailed');
    await select.selectOption(option);
    await failed;
    await expect(page.getByRole('alert')).toHaveText(/cannot be reached/);
    await expect(select).toHaveValue(before);
  }
  await page.unroute(address);
}

test('a choice that is not saved is not shown, however often it is made', async ({ page }) => {
  const service = await startServer();
  try {
    const created = (path: string, body: object) =>
      service.settings<Record<string, string>>('POST', path, body);
    const { id: tenantId } = await created('/tenants', { name: 'Harbour' });
    const { id: agentId = '' } = await created('/agents', {
      tenantId,
      name: 'Ada',
      model: { provider: 'scripted', script: heard },
      identity: { secret: identitySecret },
    });
    const { key } = await created('/keys', { tenantId, agentId, kind: 'secret' });
    await fetch(`${service.url}/parley/v1/session`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'x-parley-visitor-token': sign('grace@example.com', agentId),
      },
      body: JSON.stringify({ message: 'Where is the quay?' }),
    });
    await page.goto(service.setupLink ?? '');
    await page.getByLabel('Your name').fill('Zoe');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('link', { name: 'Members' })).toBeVisible();
    const { token } = await created('/invitations', { role: 'viewer', tenantId: tenantId ?? '' });
    const accepted = await fetch(`${service.url}/api/v1/settings/invitations/accept`, {
      method: 'POST',
      headers: { 'x-parley-console': '1', 'content-type': 'application/json' },
      body: JSON.stringify({ token, name: 'Grace', password }),
    });
    expect(accepted.status).toBeLessThan(300);

    await test.step('the role of a member', async () => {
      await page.getByRole('link', { name: 'Members' }).click();
      const role = page.getByLabel('Role of Grace');
      await expectUnsaved(page, role, 'admin', /\/members\//);
      await role.selectOption('admin');
      await expect(page.getByText('Grace is Admin now.')).toBeAttached();
    });

    await test.step('the stage of a contact', async () => {
      await page.getByRole('link', { name: 'Contacts' }).first().click();
      await page.getByRole('link', { name: 'Pipeline', exact: true }).click();
      const stage = page.getByLabel('Stage of grace@example.com');
      await expectUnsaved(page, stage, 'Customer', /\/contacts\//);
      await stage.selectOption('Customer');
      await expect(page.getByText('grace@example.com is in Customer now.')).toBeAttached();
    });

    await test.step('whether signed-in visitors alone are answered', async () => {
      await page.getByRole('link', { name: 'Agents', exact: true }).click();
      await page.getByRole('link', { name: /^Ada/ }).click();
      await page.getByRole('link', { name: 'Visitors' }).click();
      const only = page.getByRole('checkbox', { name: 'Answer signed-in visitors only' });
      await only.check();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await expect(only).not.toBeChecked();
      await page.route(/\/agents\//, (route) =>
        route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
      );
      for (let times = 0; times < 2; times += 1) {
        await only.check();
        const failed = page.waitForEvent('requestfailed');
        await page.getByRole('button', { name: 'Answer them only' }).click();
        await failed;
        await expect(page.getByRole('alert')).toHaveText(/cannot be reached/);
        await expect(only).not.toBeChecked();
      }
    });
  } finally {
    await service.stop();
  }
});
