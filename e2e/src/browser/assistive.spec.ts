import { expect, test as base } from '@playwright/test';
import { chatIn } from './chat.ts';
import { asked, ended, event, said, turn, waiting } from './recorded-turns.ts';
import { startMockService, type Recording, type MockService } from './mock-service.ts';
import { enter } from './states.ts';

const test = base.extend<{ raise: (recording: Recording) => Promise<MockService> }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the pattern.
  raise: async ({}, use) => {
    const services: MockService[] = [];
    await use(async (recording) => {
      services.push(await startMockService(recording));
      return services.at(-1)!;
    });
    for (const service of services) await service.close();
  },
});

const failed = event('turn.failed', { ...turn(1), code: 'MODEL_CALL_FAILED', message: 'x' });

test('a failure of the past alerts nobody, one that comes does', async ({ page, raise }) => {
  const service = await raise({ events: [...asked(1, 'Hello'), failed, waiting] });
  await enter(page, service.url, { shows: 'The answer could not be completed.' });
  await expect(page.getByRole('alert')).toHaveCount(0);
  const now = { at: new Date(Date.now() + 60_000).toISOString() };
  for (const each of [...asked(2, 'Again'), { ...failed, data: { ...failed.data, ...turn(2) } }, waiting])
    service.write({ ...each, meta: now });
  await expect(page.getByRole('alert')).toHaveText(/^The answer could not be completed/);
});

test('a countdown is in no alert', async ({ page, raise }) => {
  const body = { ok: false, code: 'RATE_LIMITED', error: 'Too many.', retryAfter: 40 };
  const service = await raise({ post: { status: 429, body } });
  await page.goto(service.url);
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  await chatIn(page).say('Hello');
  await expect(page.getByRole('alert')).toHaveText('Not sent. Too many messages just now.');
  await expect(page.getByRole('timer')).toBeVisible();
});

test('the launcher says how much is new, also under another name, and words are marked as the language they are in', async ({
  page,
  raise,
}) => {
  const service = await raise({
    root: 'lang="nl"',
    events: [...asked(1, 'Hello'), ...said(1, 'Hi.'), ...ended(1)],
  });
  await enter(page, service.url, { shows: 'Hi.' });
  await expect(page.getByRole('dialog')).toHaveAttribute('lang', 'en');
  await page.keyboard.press('Escape');
  const launcher = page.locator('.launcher');
  await expect(launcher).toHaveAccessibleName('Chat with Fern');
  for (const each of [...asked(2, 'More'), ...said(2, 'There is more.'), ...ended(2)]) service.write(each);
  await expect(launcher).toHaveAccessibleName('Chat with Fern, 1 new message');
  await page.evaluate(() => globalThis.parley('update', { name: 'Ask us' }));
  await expect(launcher).toHaveAccessibleName('Ask us, 1 new message');
  await page.evaluate(() => globalThis.parley('update', { locale: 'de-AT' }));
  await expect(launcher).toHaveAccessibleName('Ask us, 1 neue Nachricht');
  await launcher.click();
  await expect(launcher).toHaveAccessibleName('Ask us');
  await expect(page.getByRole('dialog')).toHaveAttribute('lang', 'de-AT');

  await page.evaluate(() => globalThis.parley('update', { locale: 'en' }));
  // What can be done with the earlier answer cannot be touched while it cannot be seen.
  const actions = page.locator('.actions').first();
  await page.mouse.move(1, 1);
  await expect(actions).toHaveCSS('opacity', '0');
  await expect(actions).toHaveCSS('pointer-events', 'none');
  await page.getByText('Hi.', { exact: true }).hover();
  await expect(actions).toHaveCSS('opacity', '1');
  await actions.getByRole('button', { name: 'Copy' }).click();
});
