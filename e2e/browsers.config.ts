import { defineConfig } from '@playwright/test';
import type { Engine } from './src/browsers/stock-browsers.ts';

/** The journeys of `pnpm test:browsers`. Chromium shows that a journey is right where another engine fails. */
export default defineConfig<object, { engine: Engine }>({
  testDir: 'src/browsers',
  outputDir: 'test-results',
  workers: 1,
  timeout: 120_000,
  globalTimeout: 30 * 60_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env['CI']),
  reporter: 'list',
  projects: (['chromium', 'firefox', 'webkit'] as const).map((engine) => ({
    name: engine,
    use: { engine },
    // What only Firefox can be told to do.
    testIgnore: engine === 'firefox' ? [] : ['firefox.spec.ts'],
  })),
});
