import { expect, test } from '@playwright/test';
import { startMockService } from './mock-service.ts';
import { action, asked, ended, event, step } from './recorded-turns.ts';
import { enter } from './states.ts';

const calls = ['search_knowledge', 'doctor__free_slots', 'billing__list_invoices', 'refund_order'];

test('tools that nobody has named for visitors are named in their language', async ({ page }) => {
  const actions = calls.map((toolName, index) => ({
    ...action(toolName, { query: 'invoice' }),
    callId: `call_${index}`,
  }));
  const service = await startMockService({
    events: [
      ...asked(1, 'Hello'),
      event('actions.requested', { ...step(1), actions }),
      ...actions.map(({ callId, toolName }) =>
        event('action.result', {
          ...step(1),
          status: 'completed',
          result: { kind: 'tool-result', callId, toolName, output: 'Done.' },
        }),
      ),
      ...ended(1),
    ],
  });
  await page.addInitScript(() => Object.assign(globalThis, { parleySettings: { locale: 'de' } }));
  await enter(page, service.url, { events: [], shows: 'Freie Termine suchen' });
  const lines = page.locator('.tool-title bdi');
  await expect(lines).toHaveText([
    'In unseren Informationen suchen',
    'Freie Termine suchen',
    'Anfrage an Billing',
    'Refund order',
  ]);
  await page.evaluate(() => globalThis.parley('update', { locale: 'ar' }));
  await expect(lines.first()).toHaveText('البحث في معلوماتنا');
  await service.close();
});
