/** Takes the picture of the README from the real demo: `pnpm --filter @parley/e2e screenshot`. */
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { ensureBrowser } from './browser.ts';
import { openFernhill } from './browser/chat.ts';
import { runDemo } from './browser/running-demo.ts';

const picture = join(import.meta.dirname, '../../apps/demo/screenshot.png');

await runDemo(async (demo) => {
  const browser = await chromium.launch({ executablePath: ensureBrowser(), args: ['--no-sandbox'] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 820 }, colorScheme: 'light' });
  const chat = await openFernhill(page, demo);
  await chat.say('Which bike suits me?');
  await page.getByRole('button', { name: 'On tour' }).click();
  await chat.log.getByText('costs nothing').waitFor();
  await chat.log.getByRole('button', { name: 'Copy' }).last().waitFor();
  await page.mouse.move(400, 400);
  await page.screenshot({ path: picture, animations: 'disabled' });
  await browser.close();
});
