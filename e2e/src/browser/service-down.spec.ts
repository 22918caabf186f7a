import { expect, test } from '@playwright/test';
import { chatIn } from './chat.ts';
import { startMockService } from './mock-service.ts';

test('a service that is down behind its proxy is asked again by itself, and told about once', async ({
  page,
}) => {
  const service = await startMockService({});
  let down = 2;
  await page.route('**/v1/config*', (route) =>
    down-- > 0
      ? route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' })
      : route.continue(),
  );
  // Half of every pause is at random: here none of it.
  await page.addInitScript(() => {
    Math.random = () => 0;
    const errors: unknown[] = [];
    Object.assign(globalThis, { errors });
    document.addEventListener('parley:error', (event) => errors.push((event as CustomEvent).detail.code));
  });
  await page.goto(service.url);
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Something went wrong.' })).toBeVisible();
  await expect(chatIn(page).field).toBeVisible();
  expect(await page.evaluate(() => (globalThis as unknown as { errors: string[] }).errors)).toEqual([
    'PROTOCOL',
  ]);
  await service.close();
});
