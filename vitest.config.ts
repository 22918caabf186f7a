import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Of the tests' processes and of those that they start, which compile the same files some hundred times: half of what a
// start of the service takes.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/node');

const tests = ['{packages,apps}/*/{src,build}/**/*.test.ts', 'e2e/{src,bench}/**/*.test.ts'];
/** What imports components and style sheets, which Vite makes modules of. */
const components = ['apps/console/**/*.test.ts', 'packages/widget/**/*.test.ts'];
/** As the service is run: each module once, as Node reads it, and kept compiled. Through Vite it takes a fifth more of the CPU. */
const native = { viteModuleRunner: false, nodeLoader: false };
/** What measures how long the service holds its visitors up, or waits for processes that died, wants the cores for itself. */
const alone = ['e2e/src/largest-requests/*.test.ts', 'e2e/src/chaos/*.test.ts'];
/** Bytes, connections, and who may ask: all of it is over before what differs between stores. */
const beforeAnyStore =
  /\/http\/(?:body\/|chat\/slow-readers|connection\/held-connections|middleware\/cors|console\/|access-matrix)/;
/** What opens a store through `testing/` is about a feature, and so it is run on each engine. */
const ofAnyStore = globSync('apps/server/src/**/*.test.ts', { cwd: import.meta.dirname }).filter(
  (file) =>
    !beforeAnyStore.test(file) &&
    /\b(testStore|testService|sharedService|chatService)\(/.test(
      readFileSync(join(import.meta.dirname, file), 'utf8'),
    ),
);

/** What waits for leases and restarts begins first, so that the rest is run beside it. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const waits = ({ moduleId }: TestSpecification) =>
      Number(/\/e2e\/src\/crash\/|\/session\/commands\.test\.ts$/.test(moduleId));
    return (await super.sort(files)).toSorted((a, b) => waits(b) - waits(a));
  }
}

export default defineConfig({
  oxc: { jsx: { importSource: 'preact' } },
  test: {
    // What waits for leases and clocks is run beside the rest; with more on two cores each test takes too long for its limit.
    maxWorkers: 3,
    // A worker loads Express, zod and the AI SDK once and not for each of some hundred files: a third of the CPU. What a
    // test replaces it puts back itself.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    sequence: { sequencer: WaitingFirst },
    // Nothing is judged by them: a test that takes long on a slow and busy machine is none that fails.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What is waited for comes late on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: tests,
          globalSetup: ['apps/server/src/testing/postgres-setup.ts'],
          exclude: [...alone, ...components, '**/node_modules/**'],
          experimental: native,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'components',
          include: components,
          exclude: ['**/node_modules/**'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: ofAnyStore,
          globalSetup: ['apps/server/src/testing/postgres-setup.ts'],
          env: { TEST_STORE: 'postgres' },
          experimental: native,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: alone,
          maxWorkers: 1,
          experimental: native,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
