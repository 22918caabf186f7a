import { defineConfig } from '@playwright/test';
import { findBrowser } from './src/browser.ts';

const executablePath = findBrowser();

export default defineConfig({
  testDir: 'src/browser',
  outputDir: 'test-results',
  workers: 1,
  timeout: 45_000,
  globalTimeout: 30 * 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    viewport: { width: 1280, height: 800 },
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
