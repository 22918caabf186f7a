import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { routes } from '@parley/console/routes';
import { expect, test } from '@playwright/test';
import { check, checkScreen, complaints } from './console-check.ts';
import { openDesk, password } from './console-desk.ts';
import { enterAll, type Entries, entriesOf } from './console-entries.ts';
import { enterScreen, screens } from './console-screens.ts';

const assets = join(import.meta.dirname, '../../../apps/console/dist/assets');

/** What does something at once, on more than one screen. */
const atOnce = ['Search in this view', 'Put in a saved reply', 'Stage of'];

test('every screen of the console is in nobody’s way, and every form keeps its entries', async ({ page }) => {
  test.setTimeout(300_000);
  expect(new Set(Object.values(screens).flatMap(({ route }) => route ?? []))).toEqual(new Set(routes));
  const found = complaints(page);
  const loaded = new Set<string>();
  page.on('request', (request) => loaded.add(request.url().split('/').at(-1) ?? ''));
  const desk = await openDesk();
  const entered = new Map<string, Entries>();
  /** One run says of every screen what is wrong with it. */
  const wrong: string[] = [];
  const look = (name: string, step: () => Promise<void>) =>
    test.step(name, () => step().catch((error: unknown) => void wrong.push(`${name}: ${String(error)}`)));
  try {
    for (const [name, screen] of Object.entries(screens))
      await look(name, async () => {
        await enterScreen(page, desk, screen);
        // A page that has just been opened begins at its top.
        await (screen.isOutside ? check(page) : checkScreen(page));
        if (!screen.isOfAnother) {
          const entries = await enterAll(page, [...atOnce, ...(screen.not ?? [])]);
          if (entries.length > 0) entered.set(name, entries);
        }
        await screen.leave?.(page);
      });
    await test.step('all that the console loads was looked at', async () => {
      const chunks = (await readdir(assets)).filter((name) => /\.(?:js|css)$/.test(name));
      expect(chunks.filter((name) => !loaded.has(name))).toEqual([]);
    });
    await test.step('whoever signs in again after the session has ended goes on', async () => {
      await page.context().clearCookies();
      await page.reload();
      await page.getByLabel('Name').fill('Ada');
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await expect(page.getByRole('navigation', { name: 'Console' })).toBeVisible();
    });
    // A form belongs to no screen that has the same one in another state.
    expect(entered.size).toBeGreaterThan(35);
    for (const [name, entries] of entered)
      await look(`${name}, again`, async () => {
        const screen = screens[name]!;
        await enterScreen(page, desk, screen, true);
        expect(await entriesOf(page, [...atOnce, ...(screen.not ?? [])])).toEqual(entries);
        await screen.leave?.(page);
      });
    expect(wrong).toEqual([]);
    expect(found).toEqual([]);
  } finally {
    await desk.close();
  }
});
