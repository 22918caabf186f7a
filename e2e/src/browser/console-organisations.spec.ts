import { expect, test } from '@playwright/test';
import { startServer } from '../server.ts';
import { heard } from './chat.ts';
import { complaints } from './console-check.ts';

test('what is begun for one organisation waits there, and goes to no agent of it from another', async ({
  page,
}) => {
  const service = await startServer();
  const found = complaints(page);
  try {
    const created = (path: string, body: object) => service.settings<{ id: string }>('POST', path, body);
    const model = { provider: 'scripted', script: heard };
    for (const [organisation, names] of Object.entries({ Harbour: ['Ada', 'Ben'], Quarry: ['Cleo'] })) {
      const { id: tenantId } = await created('/tenants', { name: organisation });
      for (const name of names) await created('/agents', { tenantId, name, model });
    }
    await page.goto(service.setupLink ?? '');
    await page.getByLabel('Your name').fill('Zoe');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('link', { name: /Ada/ })).toBeVisible();
    const organisation = page.getByLabel('Organisation');
    const agent = page.getByRole('main').getByLabel('Agent', { exact: true }).first();
    const chosen = () =>
      agent.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text.trim());

    for (const [route, field] of Object.entries({
      'tools/new': 'Name',
      'integrations/connections/new': 'Name',
      'integrations/connections/new-calendar': 'Name',
      'integrations/channels/api': 'What it is for',
    }))
      await test.step(route, async () => {
        await page.evaluate((to) => (location.hash = `#/${to}`), route);
        await organisation.selectOption('Harbour');
        await agent.selectOption('Ben');
        await page.getByLabel(field, { exact: true }).first().fill('quays');
        await organisation.selectOption('Quarry');
        await expect.poll(chosen).toBe('Cleo');
        await expect(page.getByLabel(field, { exact: true }).first()).not.toHaveValue('quays');
        await organisation.selectOption('Harbour');
        await expect.poll(chosen).toBe('Ben');
        await expect(page.getByLabel(field, { exact: true }).first()).toHaveValue('quays');
      });
    await test.step('a reload', async () => {
      await organisation.selectOption('Quarry');
      await page.reload();
      await expect(organisation.locator('option:checked')).toHaveText('Quarry');
    });
    expect(found).toEqual([]);
  } finally {
    await service.stop();
  }
});
