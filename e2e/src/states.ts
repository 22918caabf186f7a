/**
 * Takes a picture of every state of the widget, light, dark, on a telephone and from right to left:
 * `pnpm --filter @parley/e2e states [folder]`.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrowserContextOptions, chromium, devices } from '@playwright/test';
import { ensureBrowser } from './browser.ts';
import { raiseStage } from './browser/stage.ts';
import { enter, states } from './browser/states.ts';

const looks: Record<string, BrowserContextOptions & { root?: string }> = {
  light: { viewport: { width: 520, height: 820 }, colorScheme: 'light' },
  dark: { viewport: { width: 520, height: 820 }, colorScheme: 'dark' },
  mobile: { ...devices['iPhone 13'], defaultBrowserType: undefined } as BrowserContextOptions,
  rtl: { viewport: { width: 520, height: 820 }, root: 'lang="en" dir="rtl"' },
};

const folder = process.argv[2] ?? join(import.meta.dirname, '../test-results/states');
await mkdir(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: ensureBrowser(), args: ['--no-sandbox'] });
for (const [look, { root, ...options }] of Object.entries(looks)) {
  for (const [name, state] of Object.entries(states)) {
    const stage = await raiseStage({ ...state, ...(root && { root }) });
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await enter(page, stage.url, state);
    await page.screenshot({ path: join(folder, `${name} ${look}.png`), animations: 'disabled' });
    await context.close();
    await stage.close();
  }
}
await browser.close();
