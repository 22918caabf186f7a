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
  await chat.say('Where is order 1057?');
  await chat.log.getByText('Friday at 16:00').last().waitFor();
  await chat.say('I will not need it any more. Refund order 1057, please.');
  await page.getByRole('button', { name: 'Approve' }).isEnabled();
  await page.mouse.move(400, 400);
  await page.screenshot({ path: picture, animations: 'disabled' });
  await browser.close();
});
