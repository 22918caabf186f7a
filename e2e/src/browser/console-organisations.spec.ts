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
    const created = <Answer = { id: string }>(path: string, body: object) =>
      service.settings<Answer>('POST', path, body);
    const model = { provider: 'scripted', script: heard };
    const ids: Record<string, string> = {};
    for (const [organisation, names] of Object.entries({ Harbour: ['Ada', 'Ben'], Quarry: ['Cleo'] })) {
      const { id: tenantId } = await created('/tenants', { name: organisation });
      ids[organisation] = tenantId;
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

    await test.step('what belongs to a conversation of another one', async () => {
      const { Harbour: harbour = '', Quarry: quarry = '' } = ids;
      const models = [{ modelId: 'scripted', inputPerMillion: 10_000, outputPerMillion: 10_000 }];
      const replies = [{ name: 'Closed', text: 'We are closed.' }];
      await service.settings('PATCH', `/tenants/${quarry}`, {
        team: { replies, hours: null, awayMessage: null },
        prices: { currency: 'EUR', models },
      });
      for (const [name, tenantId] of Object.entries({ Hal: harbour, Quinn: quarry })) {
        const { token } = await created<{ token: string }>('/invitations', { tenantId, role: 'agent' });
        await fetch(`${service.url}/api/v1/settings/invitations/accept`, {
          method: 'POST',
          headers: { 'x-parley-console': '1', 'content-type': 'application/json' },
          body: JSON.stringify({ token, name, password: 'correct horse battery' }),
        });
      }
      const { items } = await service.settings<{ items: { id: string }[] }>(
        'GET',
        `/agents?tenantId=${quarry}`,
      );
      const keyOf = { tenantId: quarry, agentId: items[0]?.id, kind: 'secret' };
      const { key } = await created<{ key: string }>('/keys', keyOf);
      const begun = await fetch(`${service.url}/parley/v1/session`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ message: 'Hello there' }),
      });
      const { sessionId } = (await begun.json()) as { sessionId: string };

      await page.evaluate((id) => (location.hash = `#/inbox/all/${id}`), sessionId);
      await page.reload();
      await organisation.selectOption('Harbour');
      const thread = page.getByRole('region', { name: 'Conversation', exact: true });
      const people = thread.getByLabel('Looked after by').getByRole('option');
      await expect(people).toHaveText(['Nobody looks after it', 'You', 'Quinn']);
      await thread.getByRole('button', { name: 'Take over' }).click();
      await thread.getByLabel('Put in a saved reply').selectOption('Closed');
      await expect(thread.getByLabel('Reply to the visitor')).toHaveValue('We are closed.');
      await thread.getByRole('link', { name: 'Details' }).click();
      await expect(page.getByRole('complementary', { name: 'What turn 1 took' })).toContainText('€');
      await expect(page.getByRole('link', { name: 'Cleo' })).toBeVisible();
    });
    expect(found).toEqual([]);
  } finally {
    await service.stop();
  }
});
