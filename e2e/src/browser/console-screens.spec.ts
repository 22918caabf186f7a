import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { routes } from '@parley/console/routes';
import { expect, test } from '@playwright/test';
import { check, checkScreen, complaints } from './console-check.ts';
import { openDesk } from './console-desk.ts';
import { enterScreen, screens } from './console-screens.ts';
import { tabThrough } from './tab-through.ts';

const assets = join(import.meta.dirname, '../../../apps/console/dist/assets');

test('every screen of the console is in nobody’s way', async ({ page }) => {
  test.setTimeout(600_000);
  expect(new Set(Object.values(screens).flatMap(({ route }) => route ?? []))).toEqual(new Set(routes));
  const found = complaints(page);
  const loaded = new Set<string>();
  page.on('request', (request) => loaded.add(request.url().split('/').at(-1) ?? ''));
  const desk = await openDesk();
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
        wrong.push(...(await tabThrough(page)).map((each) => `${name}, by Tab: ${each}`));
        await screen.leave?.(page);
      });
    await test.step('all that the console loads was looked at', async () => {
      const chunks = (await readdir(assets)).filter((name) => /\.(?:js|css)$/.test(name));
      expect(chunks.filter((name) => !loaded.has(name))).toEqual([]);
    });
    expect(wrong).toEqual([]);
    expect(found).toEqual([]);
  } finally {
    await desk.close();
  }
});
