/**
 * Takes a picture of every state of the widget, light, dark, on a telephone and in Arabic:
 * `pnpm --filter @parley/e2e states [folder]`.
 */
import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrowserContextOptions, chromium, devices, expect } from '@playwright/test';
import { ensureBrowser } from './browser.ts';
import { enterInEnglish, inArabic, speakArabic } from './browser/arabic.ts';
import { startMockService } from './browser/mock-service.ts';
import { enter, states } from './browser/states.ts';

const viewport = { width: 520, height: 820 };
const looks: Record<string, BrowserContextOptions> = {
  light: { viewport, colorScheme: 'light' },
  dark: { viewport, colorScheme: 'dark' },
  mobile: { ...devices['iPhone 13'], defaultBrowserType: undefined } as BrowserContextOptions,
  rtl: { viewport, locale: 'ar' },
};

const folder = process.argv[2] ?? join(import.meta.dirname, '../test-results/states');
await mkdir(folder, { recursive: true });
// The pictures are of what the source says, not of what was built once.
execFileSync(process.execPath, ['build/build.ts'], {
  cwd: join(import.meta.dirname, '../../packages/widget'),
  stdio: 'inherit',
});
const browser = await chromium.launch({
  executablePath: ensureBrowser(),
  args: ['--no-sandbox'],
  // As where a mouse is.
  ignoreDefaultArgs: ['--hide-scrollbars'],
});
for (const [look, options] of Object.entries(looks)) {
  const arabic = look === 'rtl';
  for (const [name, each] of Object.entries(states)) {
    const state = arabic ? inArabic(each) : each;
    const mock = await startMockService(state);
    const context = await browser.newContext(options);
    const page = await context.newPage();
    // Soon after what was recorded.
    await page.clock.setSystemTime('2026-11-20T16:07:35Z');
    if (arabic) await enterInEnglish(page);
    await enter(page, mock.url, state);
    if (arabic) await speakArabic(page);
    // A canvas is 300 wide until its picture has come.
    const picture = page.locator('canvas').last();
    if ((await picture.count()) > 0) await expect(picture).not.toHaveJSProperty('width', 300);
    await page.screenshot({ path: join(folder, `${name} ${look}.png`), animations: 'disabled' });
    await context.close();
    await mock.close();
  }
}
await browser.close();
