import { defineConfig } from 'vitest/config';

const tests = ['{packages,apps}/*/{src,build}/**/*.test.{ts,tsx}', 'e2e/{src,bench}/**/*.test.ts'];
/** What measures how long the service holds its visitors up wants the cores for itself. */
const alone = ['e2e/src/largest-requests/*.test.ts'];

export default defineConfig({
  oxc: { jsx: { importSource: 'preact' } },
  test: {
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: tests,
          globalSetup: ['apps/server/src/testing/postgres-setup.ts'],
          exclude: [...alone, '**/node_modules/**'],
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: 'alone', include: alone, sequence: { groupOrder: 1 } } },
    ],
  },
});
