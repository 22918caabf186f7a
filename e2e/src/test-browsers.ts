/** The same journeys in stock Firefox and WebKit, and in Chromium: `pnpm test:browsers`, with the arguments of Playwright. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureBrowser, playwrightCommand } from './browser.ts';
import { ensureStockBrowsers } from './browsers/stock-browsers.ts';

const root = join(import.meta.dirname, '../..');

ensureBrowser();
ensureStockBrowsers();
for (const folder of ['packages/widget', 'apps/console', 'apps/demo']) await run(folder, '--run', 'build');
await run('e2e', playwrightCommand(), 'test', '--config=browsers.config.ts', ...process.argv.slice(2));

/** Ends the command with the first of its steps that fails. */
function run(folder: string, ...args: string[]): Promise<void> {
  const child = spawn(process.execPath, args, { cwd: join(root, folder), stdio: 'inherit' });
  return new Promise((resolve, reject) =>
    child.once('error', reject).once('exit', (code) => (code === 0 ? resolve() : process.exit(code ?? 1))),
  );
}
