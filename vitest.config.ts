import { defineConfig } from 'vitest/config';

export default defineConfig({
  oxc: { jsx: { importSource: 'preact' } },
  test: {
    include: ['{packages,apps}/*/{src,build}/**/*.test.{ts,tsx}', 'e2e/{src,bench}/**/*.test.ts'],
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
