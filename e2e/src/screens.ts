/**
 * Takes a picture of every screen of the console, or of those whose names fit an expression, light, dark and 400 px wide:
 * `pnpm --filter @parley/e2e screens [folder] [expression]`.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { chromium } from '@playwright/test';
import { ensureBrowser } from './browser.ts';
import { openDesk } from './browser/console-desk.ts';
import { enterScreen, screens } from './browser/console-screens.ts';

const looks = {
  light: { colorScheme: 'light', width: 1280 },
  dark: { colorScheme: 'dark', width: 1280 },
  narrow: { colorScheme: 'light', width: 400 },
} as const;

const [folder = join(import.meta.dirname, '../test-results/screens'), wanted = ''] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: ensureBrowser(),
  args: ['--no-sandbox'],
  // As where a mouse is.
  ignoreDefaultArgs: ['--hide-scrollbars'],
});
const desk = await openDesk();
const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
for (const [name, screen] of Object.entries(screens)) {
  if (!new RegExp(wanted).test(name)) continue;
  await page.setViewportSize({ width: looks.light.width, height: 800 });
  try {
    await enterScreen(page, desk, screen);
  } catch (error) {
    console.error(`${name}: ${stripVTControlCharacters(String(error))}`);
    process.exitCode = 1;
  }
  // What sticks to the window stands at its place in a picture of the whole page.
  await page.evaluate(() => scrollTo(0, 0));
  for (const [look, { colorScheme, width }] of Object.entries(looks)) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await page.screenshot({
      path: join(folder, `${name} ${look}.png`),
      animations: 'disabled',
      fullPage: true,
    });
  }
  await screen.leave?.(page);
}
await browser.close();
await desk.close();
