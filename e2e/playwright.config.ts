import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findBrowser } from './src/browser.ts';

// Of the services that tests start and kill: half of what a start takes.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../node_modules/.cache/node');

const executablePath = findBrowser();
const alone = ['browser/start.spec.ts', 'resilience/tools.spec.ts'];

export default defineConfig({
  testDir: 'src/browser',
  // A test waits for the service and the browser half of its time.
  workers: 4,
  timeout: 240_000,
  globalTimeout: 45 * 60_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  projects: [
    // Each clears its folder first, and the pictures and films of the other stay.
    { name: 'browser', testIgnore: alone, outputDir: 'test-results/browser' },
    // `pnpm start` builds anew what others load, and tabs leave a tool to each other for a second:
    // nothing runs beside them.
    { name: 'alone', testMatch: alone, outputDir: 'test-results/alone', workers: 1 },
  ],
  use: {
    viewport: { width: 1280, height: 800 },
    // What moves is drawn sixty times a second, a tenth of what the tests cost. Those about motion ask for it.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
